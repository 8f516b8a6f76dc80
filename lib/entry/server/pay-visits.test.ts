import { describe, expect, test } from 'vitest';
import { findBillByLink } from '@/lib/gateway/bills/linked-bill';
import { makeShortLink } from '@/lib/gateway/bills/short-links';
import { testSandbox } from '@/testing/data/sandbox';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';

// Opens payment pages through the product's own listener, as browsers and the crawlers of chats do.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const origin = testListener(runtime);

const open = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(`${origin()}${path}`, { headers, redirect: 'manual' });
const languageOf = async (answer: Response) => /<html lang="(\w\w)"/.exec(await answer.text())?.[1];
const newBill = async () => makeBill(runtime(), await makeMerchant(runtime()), { amount: 1000 });

describe('the language of the payment page', () => {
  const own = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' };
  const cookie = 'bili-pay-lang=en';

  test('is that of the address, otherwise the remembered one, otherwise the browser’s', async () => {
    const bill = await newBill();
    const swahili = { 'accept-language': 'sw' };
    expect(await languageOf(await open(`/pay?bill=${bill}`, swahili))).toBe('sw');
    expect(await languageOf(await open(`/pay?bill=${bill}`, { ...swahili, cookie }))).toBe('en');
    expect(await languageOf(await open(`/pay?bill=${bill}&lang=sw`, { ...swahili, cookie }))).toBe('sw');
    expect(await languageOf(await open(`/pay?bill=${bill}`, { ...swahili, cookie: 'bili-pay-lang=xx' }))).toBe('sw');
  });

  test('is before the language of the merchant if the customer has chosen it', async () => {
    const merchant = await makeMerchant(runtime());
    const bill = await makeBill(runtime(), merchant, { amount: 1000 });
    await runtime().db.query({ text: "UPDATE merchant SET language = 'sw' WHERE id = $1" }, [merchant.merchant.id]);
    expect(await languageOf(await open(`/pay?bill=${bill}`, { 'accept-language': 'en' }))).toBe('sw');
    expect(await languageOf(await open(`/pay?bill=${bill}`, { cookie }))).toBe('en');
  });

  test.each([
    ['our own page', own, true],
    ['an old browser', {}, true],
    ['a link of a shop', { ...own, 'sec-fetch-site': 'cross-site' }, false],
    ['a typed address', { ...own, 'sec-fetch-site': 'none' }, false],
    ['the script of the page', { ...own, 'sec-fetch-dest': 'empty' }, false],
    ['our own page, if it is remembered already', { ...own, cookie }, false],
  ])('is remembered after a visit from %s: %o, %s', async (_name, headers, remembered) => {
    const paths = [`/pay?bill=${await newBill()}&lang=en`, '/pay?show=stop&lang=en', '/verify?lang=en'];
    for (const path of paths) {
      const cookies = (await open(path, headers)).headers.getSetCookie();
      expect(cookies.filter((one) => /^bili-pay-lang=en; Path=\/; .*HttpOnly; SameSite=Lax/.test(one))).toHaveLength(remembered ? 1 : 0);
    }
  });
});

test('a link works with the characters that chats and sentences append to it', async () => {
  const merchant = await makeMerchant(runtime());
  const id = await makeBill(runtime(), merchant, { amount: 1000 });
  const bill = await findBillByLink(runtime().db, 'sandbox', id);
  if (!bill) throw new Error('the bill is missing');
  const { pathname } = new URL(await makeShortLink(runtime(), bill));
  for (const end of ['', '.', ')', ',', '*', "'", '%22', '%20', '%E2%80%8B', '%0A', '%E2%80%A6', '.)', '/']) {
    const page = await open(`/pay?bill=${id}${end}&lang=en`);
    expect([end, page.status, (await page.text()).includes(`value="${id}"`)]).toEqual([end, 200, true]);
    const short = await open(pathname + end);
    expect([end, short.status, short.headers.get('location')]).toEqual([end, 302, `/pay?bill=${id}`]);
  }
  expect((await open(`/pay/?bill=${id}`)).status).toBe(200);
  for (const wrong of [`/pay?bill=${id}0`, `/pay?bill=x${id}`, `${pathname}0`, `${pathname}/x`])
    expect((await open(wrong)).status).toBe(404);
});

test('a crawler gets the preview of a link without cookies, and the page asks not to be indexed', async () => {
  const html = await (await open(`/pay?bill=${await newBill()}`, { 'user-agent': 'WhatsApp/2.24' })).text();
  expect(html).toMatch(/<meta property="og:title" content="[^"]+: lipa TZS\u00a01,000"\/>/);
  expect(html).toMatch(/<meta property="og:description" content="Kumbukumbu Na\. [^"]+"\/>/);
  expect(html).toMatch(/<meta property="og:image" content="http:\/\/127\.0\.0\.1:9\/pay\/picture\/[^"]+"\/>/);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
});

test('the page of a failed request repeats it with one form', async () => {
  const bill = await newBill();
  const post = (body: URLSearchParams, cookie = '') =>
    fetch(`${origin()}/pay`, { method: 'POST', body, redirect: 'manual', headers: { cookie } });
  const first = await post(new URLSearchParams({ bill, lang: 'en', mobile: '0712345003', amount: '1000' }));
  const cookie = first.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  await sandbox.settle(bill);
  const html = await (await open(`/pay?bill=${bill}&lang=en`, { cookie })).text();
  const [, retry = ''] = /<form action="\/pay" method="post">(.*?)<\/form>/.exec(html) ?? [];
  expect(retry).toContain('Try again with 0712\u00a0345\u00a0003');
  const fields = [...retry.matchAll(/name="(\w+)" (?:value="([^"]*)"|[^>]*value="([^"]*)")/g)];
  const again = await post(new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value])), cookie);
  expect(again.status).toBe(303);
  const rows = await runtime().db.query({ text: 'SELECT mobile, amount FROM push_attempt WHERE bill_id = $1 ORDER BY id' }, [bill]);
  expect(rows).toEqual([
    { mobile: '0712345003', amount: 100_000n },
    { mobile: '0712345003', amount: 100_000n },
  ]);
});

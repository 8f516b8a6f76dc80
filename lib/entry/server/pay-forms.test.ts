import { describe, expect, test } from 'vitest';
import { blockNumber } from '@/lib/gateway/refusals/block-number';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { parseMobile } from '@/lib/platform/core/mobile';
import { formatInstant } from '@/lib/platform/i18n/format';
import { testSandbox } from '@/testing/data/sandbox';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';

// Sends valid, repeated and malformed forms to the product's own listener.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9', TRUSTED_PROXIES: '127.0.0.1', DATABASE_POOL_SIZE: '20' });
const sandbox = testSandbox(runtime);
const origin = testListener(runtime);

type Fields = Readonly<Record<string, string>>;

async function post(fields: Fields, headers: Fields = {}): Promise<Response> {
  return send(new URLSearchParams(fields), headers);
}

/** The number of requests. Each is sent from a new address, so that tests do not share a rate limit. */
let callers = 0;
async function send(body: BodyInit, headers: Fields = {}): Promise<Response> {
  callers += 1;
  const from = { 'x-forwarded-for': `10.1.${callers >> 8}.${callers & 255}` };
  const type = typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  return fetch(`${origin()}/pay`, { method: 'POST', body, redirect: 'manual', headers: { ...from, ...type, ...headers } });
}

async function newBill(): Promise<string> {
  return makeBill(runtime(), await makeMerchant(runtime()), { amount: 1000 });
}

/** Opens a bill's payment page and returns the fields of its form. The field `form` has the form's number, which is different each time. */
async function formOf(bill: string): Promise<Fields> {
  const html = await (await fetch(`${origin()}/pay?bill=${bill}&lang=en`)).text();
  const form = /name="form" value="([\w-]{22})"/.exec(html)?.[1];
  if (form === undefined) throw new Error('the page has no form');
  return { bill, lang: 'en', form };
}

const statesOf = async (bill: string) =>
  (await runtime().db.query<{ state: string }>({ text: 'SELECT state FROM push_attempt WHERE bill_id = $1 ORDER BY id' }, [bill])).map(
    ({ state }) => state,
  );

describe('a form from another site', () => {
  test.each([[{ origin: 'https://evil.example' }], [{ origin: 'null' }], [{ 'sec-fetch-site': 'cross-site' }]])(
    'with %j requests no prompt, and the answer leads to our own page',
    async (headers) => {
      const bill = await newBill();
      const answer = await post({ ...(await formOf(bill)), mobile: '0712345005' }, headers as Fields);
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain(`href="/pay?bill=${bill}&amp;lang=en"`);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await statesOf(bill)).toEqual([]);
    },
  );

  test('is recognised by the Origin header, which our page makes browsers send', async () => {
    const bill = await newBill();
    const page = await fetch(`${origin()}/pay?bill=${bill}`);
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    await post({ ...(await formOf(bill)), mobile: '0712345005' }, { origin: origin(), 'sec-fetch-site': 'same-origin' });
    expect(await statesOf(bill)).toEqual(['QUEUED']);
  });
});

test('the form is read in both encodings of forms, and refused in another one', async () => {
  const bill = await newBill();
  const fields = { ...(await formOf(bill)), mobile: '0712345005' };
  const wrong = await send(JSON.stringify(fields), { 'content-type': 'application/json' });
  expect([wrong.status, wrong.headers.get('bili-error')]).toEqual([415, 'form_type_unsupported']);
  expect((await send('x', { 'content-type': 'multipart/form-data; boundary=b' })).status).toBe(415);
  const multipart = new FormData();
  for (const [name, value] of Object.entries(fields)) multipart.set(name, value);
  expect((await send(multipart)).status).toBe(303);
  expect(await statesOf(bill)).toEqual(['QUEUED']);
});

describe('there is only one prompt', () => {
  test('if the same form is sent ten times at once with different numbers', async () => {
    const bill = await newBill();
    const form = await formOf(bill);
    const mobiles = Array.from({ length: 10 }, (_, n) => `071234500${n}`);
    const answers = await Promise.all(mobiles.map((mobile) => post({ ...form, mobile })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await statesOf(bill)).toEqual(['QUEUED']);
  });

  test('after a double tap, and after reloading the submitted form', async () => {
    const bill = await newBill();
    const form = { ...(await formOf(bill)), mobile: '0712345005' };
    const [first] = await Promise.all([post(form), post(form)]);
    expect(first.headers.get('location')).toBe(`/pay?bill=${bill}&lang=en`);
    await sandbox.step();
    expect((await post(form)).status).toBe(303);
    expect(await statesOf(bill)).toEqual(['AWAITING_CUSTOMER']);
  });

  test('after a double tap on a part payment that is larger than the remaining amount', async () => {
    const bill = await makeBill(runtime(), await makeMerchant(runtime()), { amount: 4_000_000 });
    const form = { ...(await formOf(bill)), mobile: '0712345005', amount: '3,000,000' };
    const answers = [await post(form), await post(form)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[1]?.headers.getSetCookie()).toHaveLength(2);
    runtime().advance(MINUTE_MS);
    expect((await post(form)).status).toBe(303);
    expect((await post({ ...form, form: 'x'.repeat(22) })).status).toBe(422);
    expect(await statesOf(bill)).toEqual(['QUEUED']);
  });

  test('after the back button: a settled form requests no second prompt, a new form does', async () => {
    const bill = await newBill();
    const form = { ...(await formOf(bill)), mobile: '0712345002' };
    await post(form);
    await sandbox.settle(bill);
    expect(await statesOf(bill)).toEqual(['FAILED']);
    expect((await post(form)).status).toBe(303);
    expect(await statesOf(bill)).toEqual(['FAILED']);
    expect((await post({ ...(await formOf(bill)), mobile: '0712345001' })).status).toBe(303);
    expect(await statesOf(bill)).toEqual(['FAILED', 'QUEUED']);
  });

  test('if forms have no valid number and the first attempt is open', async () => {
    const bill = await makeBill(runtime(), await makeMerchant(runtime()), { amount: 4_000_000 });
    const forms = ['', 'x'.repeat(21), '!'.repeat(22)].map((form) => ({ bill, lang: 'en', form, mobile: '0712345005', amount: '500' }));
    expect((await Promise.all(forms.map((form) => post(form)))).map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await statesOf(bill)).toEqual(['QUEUED']);
  });

  test('if a form is sent after the bill was paid', async () => {
    const bill = await newBill();
    const form = await formOf(bill);
    await post({ ...form, mobile: '0712345001' });
    await sandbox.settle(bill);
    expect((await post({ ...form, mobile: '0712345002' })).status).toBe(303);
    expect(await statesOf(bill)).toEqual(['SUCCEEDED']);
  });
});

describe('invalid input', () => {
  const VALUES: Readonly<Record<string, string>> = {
    'ten kilobytes': '7'.repeat(10_000),
    'a null': '\0',
    'a number with a null character': '0712345001\0',
    'a script': '"><script>alert(1)</script>',
    'another direction and a lone accent': '\u202e\u0301',
    'half a character': '\ud800',
    nothing: '',
  };
  const FIELDS = ['bill', 'mobile', 'network', 'form', 'lang', 'show', 'reason', 'amount', 'part', 'remember'];

  test.each(Object.entries(VALUES))('%s in any field is answered with a page, without the script', async (_, value) => {
    const bill = await newBill();
    const good: Fields = { ...(await formOf(bill)), mobile: '0712345005' };
    for (const field of FIELDS) {
      for (const form of [
        { ...good, [field]: value },
        { ...good, show: 'stop', [field]: value },
      ]) {
        const answer = await post(form);
        expect([200, 303, 404, 422]).toContain(answer.status);
        expect(await answer.text()).not.toContain('<script>alert');
      }
    }
    expect((await statesOf(bill)).length).toBeLessThanOrEqual(1);
  });

  test('missing, unknown and repeated fields are handled', async () => {
    const bill = await newBill();
    const good: Fields = { ...(await formOf(bill)), mobile: '0712345005' };
    for (const field of Object.keys(good)) {
      const rest = Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));
      expect([303, 404, 422]).toContain((await post(rest)).status);
    }
    expect((await post({ ...good, constructor: 'x', ['__proto__']: 'y', 'a[b]': 'z' })).status).toBe(303);
    expect((await send(`${new URLSearchParams(good)}&mobile=0712345002&bill=x&form=1`)).status).toBe(303);
    expect(await statesOf(bill)).toEqual(['QUEUED']);
  });

  test('bodies that are no forms are refused', async () => {
    const bill = await newBill();
    const form = { ...(await formOf(bill)), mobile: '0712345005' };
    for (const type of ['application/json', 'text/plain', 'image/png', '', 'x'.repeat(500)]) {
      expect((await send(JSON.stringify(form), { 'content-type': type })).status).toBe(415);
    }
    for (const body of ['', '%', '&&&===', '%00%ff%fe=%', 'bill', `bill=${bill}`]) expect([404, 422]).toContain((await send(body)).status);
    expect((await send(new Uint8Array([0, 255, 254, 61, 38]))).status).toBe(404);
    expect(await statesOf(bill)).toEqual([]);
  });

  test('a form that is too long is refused, with or without Content-Length', async () => {
    const bill = await newBill();
    const long = `bill=${bill}&mobile=0712345005&x=${'x'.repeat(100_000)}`;
    expect((await send(long)).status).toBe(413);
    const unsaid = new Blob([long]).stream();
    const streamed: RequestInit & { duplex: 'half' } = { method: 'POST', body: unsaid, duplex: 'half', redirect: 'manual' };
    expect((await fetch(`${origin()}/pay`, streamed)).status).toBe(413);
    const many = new URLSearchParams(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, '']));
    for (const [name, value] of Object.entries({ bill, mobile: '0712345005', form: '' })) many.append(name, value);
    expect((await send(many)).status).toBe(303);
    expect(await statesOf(bill)).toEqual(['QUEUED']);
  });
});

describe('limits', () => {
  test('after too many prompts, the page says when the next is possible, in both languages', async () => {
    const bill = await newBill();
    for (let n = 0; n < 3; n += 1) {
      expect((await post({ ...(await formOf(bill)), mobile: '0712345002' })).status).toBe(303);
      await sandbox.settle(bill);
    }
    const form = { ...(await formOf(bill)), mobile: '0712 345 002' };
    const [row] = await runtime().db.query<{ sent_at: Date }>(
      { text: 'SELECT min(sent_at) AS sent_at FROM push_attempt WHERE bill_id = $1' },
      [bill],
    );
    const free = new Date((row?.sent_at.getTime() ?? 0) + 10 * MINUTE_MS);
    // Rounded up to the next minute, so that the time is never too early.
    const shown = new Date(free.getTime() + MINUTE_MS - 1);
    for (const [lang, sentence] of [
      ['en', `Try again after ${formatInstant(shown, 'en')}, or use another number.`],
      ['sw', `Jaribu tena baada ya ${formatInstant(shown, 'sw')}, au tumia namba nyingine.`],
    ] as const) {
      const answer = await post({ ...form, lang });
      expect(answer.status).toBe(422);
      const html = await answer.text();
      expect(html).toContain(sentence);
      expect(html).toContain('value="0712 345 002"');
    }
    expect(await statesOf(bill)).toHaveLength(3);
    expect((await post({ ...form, mobile: '0712345001' })).status).toBe(303);
  });

  test('too many forms from one address in a minute are refused with a page; other addresses are not affected', async () => {
    const from = { 'x-forwarded-for': '10.200.0.1' };
    const next = () => send('lang=en', { ...from, 'accept-language': 'en' });
    let turnedBack = await next();
    let accepted = 0;
    for (; turnedBack.status === 404 && accepted < 1_000; accepted += 1) turnedBack = await next();
    expect(turnedBack.status).toBe(429);
    expect(accepted).toBeGreaterThanOrEqual(300);
    expect(Number(turnedBack.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await turnedBack.text()).toContain('Please wait a minute');
    expect((await send('')).status).toBe(404);
    runtime().advance(MINUTE_MS);
    expect((await send('', from)).status).toBe(404);
  });
});

describe('a blocked number', () => {
  test('gets no prompt, and the page says why', async () => {
    const mobile = parseMobile('0715000005');
    if (mobile === null) throw new Error('that is a number');
    await blockNumber(runtime(), { environment: 'sandbox', mobile, code: null, reason: null, actor: TEST_OPERATOR });
    const bill = await newBill();
    const answer = await post({ ...(await formOf(bill)), mobile });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('The owner of this number has blocked payment requests.');
    expect(await statesOf(bill)).toEqual([]);
  });

  test('can be blocked with a code that stays the same after a reload; the page does not show the number', async () => {
    const bill = await newBill();
    const form = { show: 'stop', lang: 'en', bill, mobile: '+255 715 123 456', reason: 'they ring\0 every\u202e day' };
    const html = await (await post(form)).text();
    const code = /Your code: (\d{3}\u00a0\d{3})/.exec(html)?.[1];
    expect(code).toBeDefined();
    expect(html).toContain(`href="/pay?bill=${bill}&amp;lang=en"`);
    expect(html).not.toMatch(/715.?123.?456/);
    const again = await (await post({ ...form, mobile: '0715123456', reason: '' })).text();
    expect(again).toContain(`Your code: ${code}`);
    expect(await runtime().db.query({ text: "SELECT reason, state FROM prompt_refusal WHERE mobile = '0715123456'" })).toEqual([
      { reason: 'they ring every day', state: 'REQUESTED' },
    ]);
    // A request to block a number blocks nothing until the operator confirms it.
    expect((await post({ ...(await formOf(bill)), mobile: '0715123456' })).status).toBe(303);
  });

  test('can be blocked without a bill, and a page with a prompt links to the form', async () => {
    const stop = await fetch(`${origin()}/pay?show=stop&lang=en`);
    expect(stop.status).toBe(200);
    expect(await stop.text()).toContain('Block payment requests to your number');
    const bill = await newBill();
    const link = `href="/pay?show=stop&amp;lang=en&amp;bill=${bill}"`;
    const html = async () => (await fetch(`${origin()}/pay?bill=${bill}&lang=en`)).text();
    expect(await html()).not.toContain(link);
    await post({ ...(await formOf(bill)), mobile: '0712345002' });
    expect(await html()).toContain(link);
    await sandbox.settle(bill);
    expect(await html()).toContain(link);
  });

  test("is told to call the shop's number if the operator has no contact", async () => {
    const merchant = await makeMerchant(runtime());
    await runtime().db.query({ text: "UPDATE merchant SET support_number = '0754000222' WHERE id = $1" }, [merchant.merchant.id]);
    const bill = await makeBill(runtime(), merchant, { amount: 1000 });
    const form = { show: 'stop', lang: 'en', mobile: '0715123457' };
    expect(await (await post({ ...form, bill })).text()).toContain('href="tel:0754000222"');
    expect(await (await post(form)).text()).not.toContain('tel:');
  });

  test('is refused if it is not a mobile number, and the form keeps the input', async () => {
    const answer = await post({ show: 'stop', lang: 'en', mobile: '12<b>', reason: '"x"' });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain('Enter a Tanzanian mobile number');
    expect(html).toContain('value="12&lt;b&gt;"');
    expect(html).toContain('value="&quot;x&quot;"');
  });
});

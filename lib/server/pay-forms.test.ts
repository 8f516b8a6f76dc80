import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/core/clock';
import { parseMobile } from '@/lib/core/mobile';
import { formatInstant } from '@/lib/i18n/format';
import { blockNumber } from '@/lib/refusals/block-number';
import { testSandbox } from '@/lib/testing/data/sandbox';
import { testListener } from '@/lib/testing/fakes/listener';
import { makeBill, makeMerchant, testRuntime } from '@/lib/testing/runtime';

// Forms as anybody and anything may send them, to the product's own listener.
const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9', TRUSTED_PROXIES: '127.0.0.1', DATABASE_POOL_SIZE: '20' });
const sandbox = testSandbox(runtime);
const origin = testListener(runtime);

type Fields = Readonly<Record<string, string>>;

async function post(fields: Fields, headers: Fields = {}): Promise<Response> {
  return send(new URLSearchParams(fields), headers);
}

/** From an address of its own, so that no test reaches the ceiling of another. */
let callers = 0;
async function send(body: BodyInit, headers: Fields = {}): Promise<Response> {
  callers += 1;
  const from = { 'x-forwarded-for': `10.1.${callers >> 8}.${callers & 255}` };
  return fetch(`${origin()}/pay`, { method: 'POST', body, redirect: 'manual', headers: { ...from, ...headers } });
}

async function newBill(): Promise<string> {
  return makeBill(runtime(), await makeMerchant(runtime()), { amount: 1000 });
}

/** @returns a form as the page gives it, with its number. */
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

describe('a form from a foreign page', () => {
  test.each([[{ origin: 'https://evil.example' }], [{ origin: 'null' }], [{ 'sec-fetch-site': 'cross-site' }]])(
    'with %j asks no phone and keeps nothing: it leads to our own page',
    async (headers) => {
      const bill = await newBill();
      const answer = await post({ ...(await formOf(bill)), mobile: '0712345005' }, headers as Fields);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pay?bill=${bill}&lang=en`]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await statesOf(bill)).toEqual([]);
    },
  );

  test('is told from our own by the origin that our page has its browser send', async () => {
    const bill = await newBill();
    const page = await fetch(`${origin()}/pay?bill=${bill}`);
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    await post({ ...(await formOf(bill)), mobile: '0712345005' }, { origin: origin(), 'sec-fetch-site': 'same-origin' });
    expect(await statesOf(bill)).toEqual(['QUEUED']);
  });
});

describe('never a second prompt', () => {
  test('for two who send the same form at once, with different numbers', async () => {
    const bill = await newBill();
    const form = await formOf(bill);
    const mobiles = Array.from({ length: 10 }, (_, n) => `071234500${n}`);
    const answers = await Promise.all(mobiles.map((mobile) => post({ ...form, mobile })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await statesOf(bill)).toEqual(['QUEUED']);
  });

  test('for a double tap, and for a reload after the submit', async () => {
    const bill = await newBill();
    const form = { ...(await formOf(bill)), mobile: '0712345005' };
    const [first] = await Promise.all([post(form), post(form)]);
    expect(first.headers.get('location')).toBe(`/pay?bill=${bill}&lang=en`);
    await sandbox.step();
    expect((await post(form)).status).toBe(303);
    expect(await statesOf(bill)).toEqual(['AWAITING_CUSTOMER']);
  });

  test('for a double tap on a part that is more than what it leaves', async () => {
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

  test('for the back button: the form of before belongs to what became of it', async () => {
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

  test('for a form of which nobody knows what it repeats, as long as the first is open', async () => {
    const bill = await makeBill(runtime(), await makeMerchant(runtime()), { amount: 4_000_000 });
    const forms = ['', 'x'.repeat(21), '!'.repeat(22)].map((form) => ({ bill, lang: 'en', form, mobile: '0712345005', amount: '500' }));
    expect((await Promise.all(forms.map((form) => post(form)))).map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await statesOf(bill)).toEqual(['QUEUED']);
  });

  test('for a form that lay open until the bill was paid', async () => {
    const bill = await newBill();
    const form = await formOf(bill);
    await post({ ...form, mobile: '0712345001' });
    await sandbox.settle(bill);
    expect((await post({ ...form, mobile: '0712345002' })).status).toBe(303);
    expect(await statesOf(bill)).toEqual(['SUCCEEDED']);
  });
});

describe('whatever is sent', () => {
  const VALUES: Readonly<Record<string, string>> = {
    'ten kilobytes': '7'.repeat(10_000),
    'a null': '\0',
    'a number with a null': '0712345001\0',
    'a script': '"><script>alert(1)</script>',
    'another direction and a lone accent': '\u202e\u0301',
    'half a character': '\ud800',
    nothing: '',
  };
  const FIELDS = ['bill', 'mobile', 'network', 'form', 'lang', 'show', 'reason', 'amount', 'part', 'remember'];

  test.each(Object.entries(VALUES))('%s in any field is a page, and shows no script', async (_, value) => {
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

  test('fields that are missing, unknown or there twice', async () => {
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

  test('a form of another kind, or none', async () => {
    const bill = await newBill();
    const form = { ...(await formOf(bill)), mobile: '0712345005' };
    const multipart = new FormData();
    for (const [name, value] of Object.entries(form)) multipart.set(name, value);
    expect((await send(multipart)).status).toBe(404);
    for (const type of ['application/json', 'text/plain', 'image/png', '', 'x'.repeat(500)]) {
      expect((await send(JSON.stringify(form), { 'content-type': type })).status).toBe(404);
    }
    for (const body of ['', '%', '&&&===', '%00%ff%fe=%', 'bill', `bill=${bill}`]) expect([404, 422]).toContain((await send(body)).status);
    expect((await send(new Uint8Array([0, 255, 254, 61, 38]))).status).toBe(404);
    expect(await statesOf(bill)).toEqual([]);
  });

  test('a form that is too long, said or unsaid', async () => {
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

describe('too many', () => {
  test('prompts are refused with the time from which another may be asked for, in both languages', async () => {
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
    // To the minute, and never too early.
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

  test('forms from one address in a minute are turned back with a page; from another address they are not', async () => {
    const from = { 'x-forwarded-for': '10.200.0.1' };
    for (let n = 0; n < 300; n += 1) expect((await send('', from)).status).toBe(404);
    const turnedBack = await send('lang=en', { ...from, 'accept-language': 'en' });
    expect(turnedBack.status).toBe(429);
    expect(Number(turnedBack.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await turnedBack.text()).toContain('Please wait a minute');
    expect((await send('')).status).toBe(404);
    runtime().advance(MINUTE_MS);
    expect((await send('', from)).status).toBe(404);
  });
});

describe('a number whose owner wants no prompts', () => {
  test('is not prompted, and the page says why', async () => {
    const mobile = parseMobile('0715000005');
    if (mobile === null) throw new Error('that is a number');
    await blockNumber(runtime(), { environment: 'sandbox', mobile, code: null, reason: null, actor: 'operator:test' });
    const bill = await newBill();
    const answer = await post({ ...(await formOf(bill)), mobile });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('The owner of this number has blocked payment requests.');
    expect(await statesOf(bill)).toEqual([]);
  });

  test('is named on a form that gives a code, the same when it is loaded again, and shows the number to nobody', async () => {
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
    // Until it is confirmed, nobody is kept from paying.
    expect((await post({ ...(await formOf(bill)), mobile: '0715123456' })).status).toBe(303);
  });

  test('has its form without a bill too, and a link to it where a prompt was sent', async () => {
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

  test('that is none is said to be none, and kept in the form', async () => {
    const answer = await post({ show: 'stop', lang: 'en', mobile: '12<b>', reason: '"x"' });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain('Enter a Tanzanian mobile number');
    expect(html).toContain('value="12&lt;b&gt;"');
    expect(html).toContain('value="&quot;x&quot;"');
  });
});

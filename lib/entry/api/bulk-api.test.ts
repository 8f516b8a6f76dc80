import { beforeAll, expect, test } from 'vitest';
import { listAttempts } from '@/lib/gateway/payments/store';
import { createKey, NO_LIMITS } from '@/lib/identity/keys/change-keys';
import { updateProfile } from '@/lib/identity/merchants/store';
import { testListener } from '@/testing/fakes/listener';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const origin = testListener(runtime);
let merchant: TestMerchant;
let authorization: string;

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  const { id, secret } = await merchant.key('sandbox');
  authorization = `ApiKey ${id}:${secret}`;
});

async function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const init = { method: 'POST', headers: { authorization, ...headers }, body: new Blob([body]) };
  const response = await fetch(`${origin()}/api/v3/bills/${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}
const bulk = (bills: unknown, headers?: Readonly<Record<string, string>>) => post('bulk', JSON.stringify({ bills }), headers);
const count = () => runtime().db.prisma.bill.count({ where: { merchantId: merchant.merchant.id } });

test('each bill is created or refused by itself, with the result that it would have alone', async () => {
  const bills = [
    '{"amount":5000.10,"reference":"B-1","mobile":"0712345678","note":1,"metadata":{"a":"b"}}',
    '{"amount":"5000","reference":"B-2"}',
    '7',
    '{"amount":0.001,"reference":"B-4"}',
    '{"amount":5000.000000000000000001,"reference":"B-5"}',
    '{"amount":1,"reference":"B-6","idempotencyKey":""}',
    '{"amount":1,"reference":"B-7","dueAt":"soon"}',
  ];
  const { status, text, json } = await post('bulk', `{"bills":[${bills.join(',')}]}`);
  expect(status, text).toBe(200);
  expect(json.results.map(({ code }: { code?: string }) => code)).toEqual([
    undefined,
    'amount_not_number',
    'bill_not_object',
    'amount_too_precise',
    'amount_too_precise',
    'idempotency_key_malformed',
    undefined,
  ]);
  expect(json.results[1]).toEqual({ status: 'failed', code: 'amount_not_number', error: 'amount must be a number', ignored: [] });
  expect(json.results[6].ignored).toEqual(['dueAt']);
  const [{ bill, ignored }] = json.results;
  expect(ignored).toEqual(['note']);
  expect(text).toContain('"amount":5000.1,"status":"NOT_PAID","reference":"B-1"');
  expect(Object.keys(bill)).toEqual(['id', 'mobile', 'amount', 'status', 'reference', 'webPayUrl', 'date']);
  expect(await listAttempts(runtime().db, bill.id)).toMatchObject([{ mobile: '0712345678', state: 'QUEUED' }]);
});

test('a bill has the due date and the expiry that it would have alone', async () => {
  const row = { amount: 1, reference: 'T', expiresAt: Date.UTC(2099, 0, 1), dueAt: Date.UTC(2098, 11, 31) };
  const { json } = await bulk([row]);
  const alone = await post('create', JSON.stringify(row));
  expect(json.results[0].ignored).toEqual([]);
  const select = { expiresAt: true, dueAt: true };
  const [many, one] = await Promise.all(
    [json.results[0].bill.id, alone.json.id].map((id) => runtime().db.prisma.bill.findUniqueOrThrow({ where: { id }, select })),
  );
  expect(many).toEqual(one);
  expect(many?.expiresAt).toEqual(new Date(row.expiresAt));
});

test('500 bills are created, and a repeated request creates none', async () => {
  const bills = Array.from({ length: 500 }, (_, index) => ({ amount: 1 + index, reference: `M-${index}` }));
  const before = await count();
  const first = await bulk(bills, { 'idempotency-key': 'month-1' });
  expect(first.json.results.filter(({ status }: { status: string }) => status === 'created')).toHaveLength(500);
  // Bills are listed by id, so the ids have the order of the rows.
  const ids = first.json.results.map(({ bill }: { bill: { id: string } }) => bill.id);
  expect(ids).toEqual(ids.toSorted());
  const again = await bulk([...bills.slice(0, 3), { amount: 9, reference: 'other' }], { 'idempotency-key': 'month-1' });
  expect(again.json.results.slice(0, 3)).toEqual(
    first.json.results.slice(0, 3).map((result: object) => ({ ...result, status: 'replayed' })),
  );
  expect(again.json.results[3]).toMatchObject({ status: 'failed', code: 'idempotency_key_reused' });
  expect(await count()).toBe(before + 500);
});

test('another key gets its bill while 500 bills of one key are created', async () => {
  const other = await (await makeMerchant(runtime())).key('sandbox');
  const ended: string[] = [];
  const rows = Array.from({ length: 500 }, (_, index) => ({ amount: 1, reference: `F-${index}` }));
  const many = Promise.all([bulk(rows), bulk(rows)]).then(() => ended.push('many'));
  const one = post('create', '{"amount":1,"reference":"F"}', { authorization: `ApiKey ${other.id}:${other.secret}` });
  expect((await one).status).toBe(200);
  ended.push('one');
  await many;
  expect(ended).toEqual(['one', 'many']);
});

test('two rows with one idempotencyKey create one bill, as a request of its own with this key does', async () => {
  const row = { amount: 7, reference: 'K', idempotencyKey: 'row-key' };
  const { json } = await bulk([row, row]);
  const statuses = json.results.map(({ status }: { status: string }) => status);
  expect(statuses.toSorted()).toEqual(['created', 'replayed']);
  const alone = await post('create', '{"amount":7,"reference":"K"}', { 'idempotency-key': 'row-key' });
  expect(alone.json).toEqual(json.results[0].bill);
});

test('the daily limit of a key counts the bills of one request', async () => {
  const limits = { ...NO_LIMITS, dayMax: 1_000n };
  const key = await createKey(runtime(), merchant.operator('sandbox'), { label: 'Till', limits });
  if (!key.ok) throw new Error(key.error);
  const limited = { authorization: `ApiKey ${key.value.id}:${key.value.secret}` };
  const rows = Array.from({ length: 4 }, (_, index) => ({ amount: 4, reference: `D-${index}` }));
  const { json } = await bulk(rows, limited);
  expect(json.results.map(({ code = 'created' }) => code)).toEqual(['created', 'created', 'key_day_limit', 'key_day_limit']);
});

test.each(['{}', '{"bills":[]}', '{"bills":{}}', `{"bills":[${'0,'.repeat(500)}0]}`])('%.20s is refused as a whole', async (body) => {
  expect(await post('bulk', body)).toMatchObject({ status: 400, json: { error: 'bills must be an array of 1 to 500 bills' } });
});

test('a body above 1 MiB is refused', async () => {
  const { status } = await bulk([{ amount: 1, reference: 'A', note: 'x'.repeat(1024 * 1024) }]);
  expect(status).toBe(413);
});

test('validating a bill says what its prompt would be, and creates nothing', async () => {
  const before = await count();
  const { status, text, json } = await post(
    'validate',
    '{"amount":5000.5,"reference":"V","mobile":"+255712345678","phone":1,"language":"fr"}',
  );
  expect(status, text).toBe(200);
  expect(json).toEqual({
    amount: 5000.5,
    reference: 'V',
    mobile: '0712345678',
    prompt: { network: 'yas', networkKnown: true, wallet: 'Mixx by Yas', amount: 5001, name: null, problem: null },
    ignored: ['language', 'phone'],
  });
  expect((await post('validate', '{"amount":1,"reference":"V"}')).json.prompt).toBeNull();
  const unknown = await post('validate', '{"amount":1,"reference":"V","mobile":"0725292908"}');
  expect(unknown.json.prompt).toMatchObject({ network: 'other', networkKnown: false, problem: null });
  expect((await post('validate', '{"amount":20000000,"reference":"V","mobile":"0712345678"}')).json.prompt.problem).toBe(
    'amount_above_wallet',
  );
  expect(await count()).toBe(before);
});

test('validating a bill fails as creating it would', async () => {
  for (const body of ['{"amount":"1","reference":"V"}', '{"reference":"V"}', '[]', '{"amount":1,"reference":"V","mobile":"x"}']) {
    const [checked, created] = [await post('validate', body), await post('create', body)];
    expect(checked.json).toEqual(created.json);
    expect([checked.status, checked.headers.get('bili-error')]).toEqual([created.status, created.headers.get('bili-error')]);
  }
  const strict = await makeMerchant(runtime());
  await updateProfile(runtime().db, strict.scope('sandbox'), { uniqueReferences: true });
  const limits = { ...NO_LIMITS, billMax: 10_000n, dayMax: 15_000n };
  const key = await createKey(runtime(), strict.operator('sandbox'), { label: 'Till', limits });
  if (!key.ok) throw new Error(key.error);
  const limited = { authorization: `ApiKey ${key.value.id}:${key.value.secret}` };
  await post('create', '{"amount":100,"reference":"V-1"}', limited);
  for (const body of ['{"amount":101,"reference":"V-2"}', '{"amount":10,"reference":"V-1"}', '{"amount":60,"reference":"V-2"}']) {
    const [checked, created] = [await post('validate', body, limited), await post('create', body, limited)];
    expect(checked.json).toEqual(created.json);
    expect(checked.headers.get('location')).toBe(created.headers.get('location'));
  }
  expect((await post('validate', '{"amount":50,"reference":"V-2"}', limited)).status).toBe(200);
});

test('a payment page in the language of its bill links back to an allowed shop only', async () => {
  const shop = await makeMerchant(runtime());
  const origins = ['https://shop.example.com'];
  await updateProfile(runtime().db, shop.scope('sandbox'), { returnOrigins: origins });
  const { id: key, secret } = await shop.key('sandbox');
  const as = { authorization: `ApiKey ${key}:${secret}` };
  const sent = { amount: 1, reference: 'A', returnUrl: 'https://shop.example.com/done', language: 'en', expiresAt: 4_000_000_000_000 };
  const made = await post('create', JSON.stringify(sent), as);
  expect(made.headers.get('bili-ignored')).toBeNull();
  const bill = await (await fetch(`${origin()}/api/v3/bills/${made.json.id}`, { headers: as })).json();
  expect(bill).toMatchObject({ returnUrl: sent.returnUrl, language: 'en', expiresAt: sent.expiresAt, metadata: null });
  const page = async () => (await fetch(`${origin()}/pay?bill=${made.json.id}`, { headers: { 'accept-language': 'sw' } })).text();
  expect(await page()).toContain(`<a href="https://shop.example.com/done?bill=${made.json.id}"`);
  expect(await page()).toContain('Back to');
  await updateProfile(runtime().db, shop.scope('sandbox'), { returnOrigins: [] });
  expect(await page()).not.toContain('shop.example.com');
});

import { beforeAll, expect, test } from 'vitest';
import { createKey } from '@/lib/identity/keys/change-keys';
import { pay } from '@/testing/data/paying';
import { testSandbox } from '@/testing/data/sandbox';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const sandbox = testSandbox(runtime);
const origin = testListener(runtime);
let merchant: TestMerchant;
let key: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  key = await keyWith(['read', 'refund']);
});

async function keyWith(scopes: readonly ('create' | 'read' | 'events' | 'refund')[], of = merchant) {
  const created = await createKey(runtime(), of.operator('sandbox'), {
    label: 'refunds',
    limits: { scopes, networks: [], billMax: null, dayMax: null },
  });
  if (!created.ok) throw new Error(created.error);
  return created.value;
}

let sent = 0;
async function call(path: string, body?: unknown, { headers = {}, as = key }: { headers?: Record<string, string>; as?: typeof key } = {}) {
  sent += 1;
  const response = await fetch(`${origin()}/api/v3/bills/${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      authorization: `ApiKey ${as.id}:${as.secret}`,
      'content-type': 'application/json',
      'idempotency-key': `k${sent}`,
      ...headers,
    },
  });
  const json: Record<string, unknown> = await response.json();
  return {
    status: response.status,
    code: response.headers.get('bili-error'),
    replayed: response.headers.get('idempotency-replayed'),
    json,
  };
}

async function paidBill(mobile = '0712345001'): Promise<string> {
  const id = await makeBill(runtime(), merchant, { amount: 5000, mobile });
  await sandbox.settle(id);
  return id;
}

const why = { reason: 'One item was sold out' };

test('a part of a payment goes back, and the bill says so', async () => {
  const id = await paidBill();
  const asked = await call(`${id}/refunds`, { ...why, amount: 1500 });
  expect(asked).toMatchObject({
    status: 200,
    json: { bill: id, amount: 1500, state: 'QUEUED', way: 'reversal', failure: null, receipt: null, doneAt: null, ...why },
  });
  await sandbox.settle(id);
  expect(await call(`${id}/refunds`)).toMatchObject({
    status: 200,
    json: { refunds: [{ id: asked.json.id, state: 'DONE', receipt: expect.any(String), doneAt: expect.any(Number) }] },
  });
  expect((await call(id)).json).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 3500, reversedAmount: 1500 });
  expect((await call(`${id}/payments`)).json).toMatchObject({ payments: [{ kind: 'payment' }, { kind: 'reversal', amount: -1500 }] });
});

test('a repetition returns the same refund in its present state, and the key fits no other request', async () => {
  const id = await paidBill();
  const headers = { 'idempotency-key': 'return-7' };
  const together = await Promise.all(Array.from({ length: 6 }, () => call(`${id}/refunds`, why, { headers })));
  expect(together.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(new Set(together.map(({ json }) => json.id)).size).toBe(1);
  await sandbox.settle(id);
  const again = await call(`${id}/refunds`, why, { headers });
  expect(again).toMatchObject({ status: 200, replayed: 'true', json: { id: together[0]?.json.id, state: 'DONE', amount: 5000 } });
  expect(await call(`${id}/refunds`, { ...why, amount: 1 }, { headers })).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

test('the key is required', async () => {
  const id = await paidBill();
  const response = await fetch(`${origin()}/api/v3/bills/${id}/refunds`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${key.id}:${key.secret}` },
    body: new Blob([JSON.stringify(why)]),
  });
  expect([response.status, response.headers.get('bili-error')]).toEqual([400, 'idempotency_key_required']);
});

test.each([
  [{}, 'reason_required'],
  [{ reason: ' ' }, 'reason_required'],
  [{ reason: 7 }, 'reason_invalid'],
  [{ reason: 'x'.repeat(201) }, 'reason_invalid'],
  [{ ...why, amount: '5' }, 'amount_not_number'],
  [{ ...why, amount: 0 }, 'amount_not_positive'],
  [{ ...why, amount: 1.005 }, 'amount_too_precise'],
  [{ ...why, amount: 2e9 }, 'amount_too_large'],
  [{ ...why, payment: 'x' }, 'payment_invalid'],
])('the body %j is refused with %s', async (body, code) => {
  expect(await call(`${await paidBill()}/refunds`, body)).toMatchObject({ status: 400, code });
});

test('what is not there cannot go back', async () => {
  const unpaid = await makeBill(runtime(), merchant, { amount: 5000 });
  expect(await call(`${unpaid}/refunds`, why)).toMatchObject({ status: 409, code: 'nothing_to_refund' });
  const id = await paidBill();
  expect(await call(`${id}/refunds`, { ...why, amount: 5001 })).toMatchObject({ status: 409, code: 'refund_more_than_left' });
  const payment = '01a1fb0f-0000-7000-8000-000000000000';
  expect(await call(`${id}/refunds`, { ...why, payment })).toMatchObject({ status: 404, code: 'payment_not_found' });
  expect(await call(`${payment}/refunds`, why)).toMatchObject({ status: 404, code: 'bill_not_found' });
  await call(`${id}/refunds`, { ...why, amount: 1 });
  expect(await call(`${id}/refunds`, { ...why, amount: 1 })).toMatchObject({ status: 409, code: 'refund_open' });
});

test('a bill with several payments needs the id of one, which the error names', async () => {
  const id = await makeBill(runtime(), merchant, { amount: 5000 });
  for (const amount of [200_000n, 300_000n]) await pay(runtime(), id, amount);
  const unclear = await call(`${id}/refunds`, why);
  expect(unclear).toMatchObject({ status: 409, code: 'refund_payment_unclear' });
  const { payments } = (await call(`${id}/payments`)).json as { payments: { payment: string; amount: number }[] };
  for (const payment of payments) expect(unclear.json.error).toContain(payment.payment);
  const [first] = payments;
  expect(await call(`${id}/refunds`, { ...why, payment: first?.payment })).toMatchObject({ status: 200, json: { amount: first?.amount } });
});

test('a key needs the scope, also an older one with all scopes of its time, and sees no other merchant', async () => {
  const id = await paidBill();
  const usual = await merchant.key('sandbox');
  expect(await call(`${id}/refunds`, why, { as: usual })).toMatchObject({ status: 403, code: 'key_scope_missing' });
  expect(await call(`${id}/refunds`, undefined, { as: usual })).toMatchObject({ status: 200, json: { refunds: [] } });
  const other = await keyWith(['read', 'refund'], await makeMerchant(runtime()));
  expect(await call(`${id}/refunds`, why, { as: other })).toMatchObject({ status: 404, code: 'bill_not_found' });
  expect(await call(`${id}/refunds`, undefined, { as: other })).toMatchObject({ status: 404 });
});

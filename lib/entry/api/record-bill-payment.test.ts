import { beforeAll, expect, test } from 'vitest';
import { KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { createKey, NO_LIMITS } from '@/lib/identity/keys/change-keys';
import { newId } from '@/lib/platform/core/ids';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const origin = testListener(runtime);
let merchant: TestMerchant;
let key: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  const made = await createKey(runtime(), merchant.operator('sandbox'), { label: 'Till', limits: { ...NO_LIMITS, scopes: KEY_SCOPES } });
  if (!made.ok) throw new Error(made.error);
  key = made.value;
});

const newBill = () => makeBill(runtime(), merchant, { amount: 5_000 });
async function call(id: string, { body, requestKey = newId(runtime()) }: { body?: unknown; requestKey?: string | null } = {}) {
  const response = await fetch(`${origin()}/api/v3/bills/${id}/payments`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `ApiKey ${key.id}:${key.secret}`, ...(requestKey !== null && { 'idempotency-key': requestKey }) },
    body: body === undefined ? null : new Blob([JSON.stringify(body)]),
  });
  const json: Record<string, unknown> = await response.json();
  return { status: response.status, code: response.headers.get('bili-error'), headers: response.headers, json };
}

test('a payment is recorded once, and listed with its source', async () => {
  const id = await newBill();
  const requestKey = newId(runtime());
  const body = { amount: 1500.5, kind: 'bank', slip: `s-${id}`, note: 'by transfer' };
  const first = await call(id, { body: { ...body, receivedAt: new Date(runtime().clock().getTime() - 60_000).toISOString() }, requestKey });
  expect(first).toMatchObject({
    status: 200,
    json: {
      id: expect.any(String),
      bill: id,
      kind: 'bank',
      receipt: `S-${id}`.toUpperCase(),
      amount: 1500.5,
      createdAt: expect.any(Number),
    },
  });
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  const again = { ...body, receivedAt: new Date(Number(first.json.receivedAt)).toISOString() };
  const replayed = await call(id, { body: again, requestKey });
  expect([replayed.json, replayed.headers.get('idempotency-replayed')]).toEqual([first.json, 'true']);
  expect(await call(id, { body: { ...again, amount: 1 }, requestKey })).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  expect(await call(id, { body: again })).toMatchObject({ status: 409, code: 'slip_used' });
  expect((await call(id)).json).toMatchObject({ payments: [{ kind: 'payment', source: 'bank', amount: 1500.5 }] });
});

test('refusals name what is wrong', async () => {
  const id = await newBill();
  const valid = { amount: 1, kind: 'cash' };
  expect(await call(id, { body: valid, requestKey: null })).toMatchObject({ status: 400, code: 'idempotency_key_required' });
  for (const [change, status, code] of [
    [{ amount: undefined }, 400, 'amount_required'],
    [{ amount: 0 }, 400, 'amount_not_positive'],
    [{ kind: undefined }, 400, 'kind_invalid'],
    [{ kind: 'provider' }, 400, 'kind_invalid'],
    [{ receivedAt: 'soon' }, 400, 'received_at_invalid'],
    [{ receivedAt: 17 }, 400, 'received_at_invalid'],
    [{ slip: 'x'.repeat(41) }, 400, 'slip_invalid'],
    [{ note: 7 }, 400, 'note_invalid'],
    [{ overpay: 'yes' }, 400, 'overpay_invalid'],
    [{ amount: 5_001 }, 409, 'more_than_due'],
  ] as const)
    expect(await call(id, { body: { ...valid, ...change } }), code).toMatchObject({ status, code });
  expect((await call(id, { body: { ...valid, amount: 5_001 } })).json.error).toContain('5000.0');
  expect(await call(id, { body: { ...valid, amount: 5_001, overpay: true } })).toMatchObject({ status: 200 });
  const asked = await makeBill(runtime(), merchant, { amount: 5_000, mobile: '0712345005' });
  expect(await call(asked, { body: valid })).toMatchObject({ status: 409, code: 'payment_request_open' });
  expect(await call(newId(runtime()), { body: valid })).toMatchObject({ status: 404, code: 'bill_not_found' });
});

import { beforeAll, expect, test } from 'vitest';
import { listEventRows } from '@/lib/backoffice/bill-page/timeline-store';
import { listAttempts } from '@/lib/gateway/payments/store';
import { blockNumber } from '@/lib/gateway/refusals/block-number';
import { updateProfile } from '@/lib/identity/merchants/store';
import { parseMobile } from '@/lib/platform/core/mobile';
import { pay } from '@/testing/data/paying';
import { testListener } from '@/testing/fakes/listener';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const origin = testListener(runtime);
let merchant: TestMerchant;
let key: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  key = await merchant.key('sandbox');
});

async function post(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${origin()}/api/v3/bills/${path}`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${key.id}:${key.secret}`, ...headers },
    body: body === undefined ? null : new Blob([JSON.stringify(body)]),
  });
  const json: Record<string, unknown> = await response.json();
  return { status: response.status, headers: response.headers, json };
}

test('a bill is closed and reopened, each once however often it is requested, and the history names the key', async () => {
  const id = await makeBill(runtime(), merchant);
  const closed = await post(`${id}/close`, { reason: 'Out of stock' });
  expect(closed).toMatchObject({ status: 200, json: { id, closedAt: expect.any(Number) } });
  expect((await post(`${id}/close`)).json).toEqual(closed.json);
  expect(await post(`${id}/reopen`)).toMatchObject({ status: 200, json: { id, closedAt: null } });
  expect(await post(`${id}/reopen`)).toMatchObject({ status: 200, json: { id, closedAt: null } });
  const events = await listEventRows(runtime().db, merchant.scope('sandbox'), id);
  expect(events.slice(1)).toMatchObject([
    { type: 'bill.closed', by: `key:${key.id}`, reason: 'Out of stock' },
    { type: 'bill.reopened', by: `key:${key.id}`, reason: 'API' },
  ]);
  expect(await runtime().db.prisma.auditEntry.count({ where: { subject: id, actor: `key:${key.id}` } })).toBe(2);
});

test('a bill with an open payment request or that is paid cannot be closed', async () => {
  const open = await makeBill(runtime(), merchant, { mobile: '0712345678' });
  expect(await post(`${open}/close`)).toMatchObject({ status: 409, json: { error: 'A payment request for this bill is still open' } });
  const paid = await makeBill(runtime(), merchant);
  await pay(runtime(), paid, 500_100n);
  expect(await post(`${paid}/close`)).toMatchObject({ status: 409, json: { error: 'Bill is already paid' } });
});

test.each([{ reason: 7 }, { reason: 'x'.repeat(201) }])('the reason %j is refused', async (body) => {
  const id = await makeBill(runtime(), merchant);
  expect(await post(`${id}/close`, body)).toMatchObject({ status: 400, json: { error: expect.stringMatching(/^reason must/) } });
});

test('a payment request goes to the number of the bill or of the request', async () => {
  const id = await makeBill(runtime(), merchant);
  expect(await post(`${id}/push`)).toMatchObject({ status: 400, json: { error: 'mobile is required, because the bill has none' } });
  const { status, json, headers } = await post(`${id}/push`, { mobile: '+255 712 345 678', note: 1 });
  expect(status).toBe(200);
  expect(json).toMatchObject({ state: 'PENDING', reason: null, mobile: '0712345678', network: 'yas', amount: 5001, source: 'api' });
  expect(headers.get('bili-ignored')).toBe('note');
  expect(await listAttempts(runtime().db, id)).toMatchObject([{ id: json.id, state: 'QUEUED', amount: 500_100n }]);
  const [, queued] = await listEventRows(runtime().db, merchant.scope('sandbox'), id);
  expect(queued).toMatchObject({ type: 'attempt.queued', source: 'api', by: `key:${key.id}`, attemptId: json.id });
  expect(await post(`${id}/push`, { mobile: '0712345678' })).toMatchObject({
    status: 409,
    json: { error: 'A payment request for this bill is still open' },
  });
});

test('requests with the same Idempotency-Key send one payment request, also at the same time', async () => {
  const id = await makeBill(runtime(), merchant);
  const send = (mobile?: string) => post(`${id}/push`, mobile && { mobile }, { 'idempotency-key': 'again' });
  const together = await Promise.all(Array.from({ length: 8 }, () => send('0712345678')));
  expect(together.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(new Set(together.map(({ json }) => json.id)).size).toBe(1);
  expect(await listAttempts(runtime().db, id)).toHaveLength(1);
  const later = await send();
  expect(later.json).toEqual(together[0]?.json);
  expect(later.headers.get('idempotency-replayed')).toBe('true');
  expect(await send('0754000001')).toMatchObject({ status: 422, json: { error: 'Idempotency-Key was used with a different request' } });
  const other = await makeBill(runtime(), merchant);
  expect((await post(`${other}/push`, { mobile: '0712345678' }, { 'idempotency-key': 'again' })).json.id).not.toBe(later.json.id);
});

test('the whole remaining amount is requested, also where customers may pay a part', async () => {
  const parts = await makeMerchant(runtime());
  await updateProfile(runtime().db, parts.scope('sandbox'), { partialPayments: true });
  const { id, secret } = await parts.key('sandbox');
  const bill = await makeBill(runtime(), parts);
  await pay(runtime(), bill, 100_000n);
  const pushed = await post(`${bill}/push`, { mobile: '0712345678' }, { authorization: `ApiKey ${id}:${secret}` });
  expect(pushed).toMatchObject({ status: 200, json: { amount: 4001 } });
});

test('what the dashboard refuses, the API refuses with a code', async () => {
  const closed = await makeBill(runtime(), merchant);
  await post(`${closed}/close`);
  expect((await post(`${closed}/push`, { mobile: '0712345678' })).headers.get('bili-error')).toBe('bill_closed');
  const paid = await makeBill(runtime(), merchant);
  await pay(runtime(), paid, 500_100n);
  expect((await post(`${paid}/push`, { mobile: '0712345678' })).headers.get('bili-error')).toBe('bill_paid');
  const large = await makeBill(runtime(), merchant, { amount: 20_000_000 });
  const above = await post(`${large}/push`, { mobile: '0712345678' });
  expect(above).toMatchObject({ status: 409, json: { error: 'The amount is more than a wallet can send at once' } });
  const mobile = parseMobile('0712345999');
  if (mobile === null) throw new Error('the number is valid');
  await blockNumber(runtime(), { environment: 'sandbox', mobile, code: null, reason: 'test', actor: TEST_OPERATOR });
  expect((await post(`${await makeBill(runtime(), merchant)}/push`, { mobile })).headers.get('bili-error')).toBe('mobile_refused');
});

test.each(['push', 'close', 'reopen'])('a key can %s only bills of its own merchant and environment', async (action) => {
  const other = await makeBill(runtime(), await makeMerchant(runtime()));
  const live = await makeBill(runtime(), merchant, { environment: 'live' });
  for (const id of [other, live, 'x']) {
    const { status, json } = await post(`${id}/${action}`, { mobile: '0712345678' });
    expect({ status, json }).toEqual({ status: 404, json: { error: `Bill with id ${id} not found` } });
  }
  expect(await listAttempts(runtime().db, other)).toEqual([]);
});

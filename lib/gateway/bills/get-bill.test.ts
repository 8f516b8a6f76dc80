import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bookReversal } from '@/lib/gateway/ledger/book-reversal';
import { findPaymentsOfBill } from '@/lib/gateway/ledger/payment-store';
import { requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { parseMobile } from '@/lib/platform/core/mobile';
import type { Queryable } from '@/lib/platform/db/database';
import { FAILURE_REASONS } from '@/lib/providers/port/outcome';
import { makePastDays } from '@/testing/data/past-days';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { rowsRead } from '@/testing/schema/rows-read';
import { billJson } from './bill-json';
import { type BillAddress, findBillDetails, getBill } from './get-bill';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);

async function read(merchant: TestMerchant, billId: string): Promise<Record<string, unknown>> {
  const find = async (wanted: BillAddress) => (await findBillDetails(runtime().db, [wanted]))[0] ?? null;
  const bill = await getBill(merchant.scope('sandbox'), billId, find);
  if (!bill.ok) throw new Error(bill.error.code);
  return JSON.parse(billJson(bill.value, new URL('http://localhost:3001')));
}

async function paidBill(ends: string, amount = 5_000) {
  const merchant = await makeMerchant(runtime());
  const billId = await makeBill(runtime(), merchant, { amount, mobile: `0712345${ends}` });
  await sandbox.settle(billId);
  return { merchant, billId };
}

async function prompt(billId: string, number: string): Promise<void> {
  const mobile = parseMobile(number);
  if (mobile === null) throw new Error(`${number} is no number`);
  expect(await requestPrompt(runtime(), { environment: 'sandbox', billId, mobile })).toMatchObject({ kind: 'requested' });
}

async function sendBack(billId: string, amount: bigint, named: string): Promise<void> {
  const [payment] = await findPaymentsOfBill(runtime().db, billId);
  if (!payment) throw new Error('it was not paid');
  const account = { id: payment.providerAccountId, environment: 'sandbox' } as const;
  const { transactionId } = payment;
  await bookReversal(runtime(), { account, transactionId, amount, reversalTransactionId: named, source: 'status' });
}

describe('reversed money', () => {
  test('is different from unpaid money: the time of the first full payment stays, and reversals are summed up', async () => {
    const { merchant, billId } = await paidBill('001');
    const paid = await read(merchant, billId);
    expect(paid).toMatchObject({ status: 'FULLY_PAID', paidAmount: 5000, paidAt: expect.any(Number), reversedAmount: 0 });
    runtime().advance(60_000);
    await sendBack(billId, 200_000n, `PART-${billId}`);
    expect(await read(merchant, billId)).toMatchObject({ status: 'PARTIALLY_PAID', paidAt: paid.paidAt, reversedAmount: 2000 });
    await sendBack(billId, 300_000n, `REST-${billId}`);
    const back = await read(merchant, billId);
    expect(back).toMatchObject({ status: 'NOT_PAID', paidAmount: 0, paidAt: paid.paidAt, reversedAmount: 5000 });
    expect(back.lastAttempt).toMatchObject({ state: 'SUCCEEDED', reason: null });
  });

  test('a reversed part payment leaves the time of full payment empty', async () => {
    const { merchant, billId } = await paidBill('009');
    await sendBack(billId, 250_000n, `HALF-${billId}`);
    expect(await read(merchant, billId)).toMatchObject({ status: 'NOT_PAID', paidAt: null, reversedAmount: 2500 });
  });
});

describe('the last attempt', () => {
  test('is the newest one, with the time of its last change and without its number', async () => {
    const { merchant, billId } = await paidBill('003');
    const first = await read(merchant, billId);
    expect(first.lastAttempt).toEqual({ state: 'FAILED', reason: 'wrong_pin', at: expect.any(Number) });
    runtime().advance(1_000);
    const asked = runtime().clock().getTime();
    await prompt(billId, '0712345005');
    const next = await read(merchant, billId);
    expect(next.lastAttempt).toEqual({ state: 'PENDING', reason: null, at: expect.any(Number) });
    expect(next.lastAttempt).toMatchObject({ at: expect.toSatisfy((at: number) => at >= asked) });
    expect(JSON.stringify(next.lastAttempt)).not.toContain('712345');
  });

  test.each([
    ['QUEUED', 'PENDING'],
    ['SENDING', 'PENDING'],
    ['AWAITING_CUSTOMER', 'PENDING'],
    ['UNKNOWN', 'UNKNOWN'],
    ['SUCCEEDED', 'SUCCEEDED'],
    ['EXPIRED', 'EXPIRED'],
    ['CANCELLED', 'CANCELLED'],
  ])('in the internal state %s is %s in the API', async (state, shown) => {
    const update = `UPDATE push_attempt SET state = $2::attempt_state, unknown_since = CASE WHEN $2 = 'UNKNOWN' THEN now() END WHERE bill_id = $1`;
    const merchant = await makeMerchant(runtime());
    const billId = await makeBill(runtime(), merchant, { amount: 5_000, mobile: '0712345001' });
    await runtime().db.query({ text: update }, [billId, state]);
    expect(await read(merchant, billId)).toMatchObject({ lastAttempt: { state: shown, reason: null } });
  });

  test('maps every failure reason to one of the contract', async () => {
    const merchant = await makeMerchant(runtime());
    const billId = await makeBill(runtime(), merchant, { amount: 5_000, mobile: '0712345001' });
    for (const reason of FAILURE_REASONS) {
      await runtime().db.query({ text: "UPDATE push_attempt SET state = 'FAILED', failure_reason = $2 WHERE bill_id = $1" }, [
        billId,
        reason,
      ]);
      expect(await read(merchant, billId)).toMatchObject({ lastAttempt: { state: 'FAILED', reason } });
    }
  });

  test('of a bill without a number exists after the first prompt', async () => {
    const merchant = await makeMerchant(runtime());
    const billId = await makeBill(runtime(), merchant, { amount: 5_000 });
    expect(await read(merchant, billId)).toMatchObject({ lastAttempt: null, reversedAmount: 0 });
    await prompt(billId, '0712345005');
    expect(await read(merchant, billId)).toMatchObject({ lastAttempt: { state: 'PENDING' } });
  });
});

test('bills are read in the order of the request, and only in their own scope', async () => {
  const [shop, other] = [await makeMerchant(runtime()), await makeMerchant(runtime())];
  const scope = shop.scope('sandbox');
  const first = await makeBill(runtime(), shop, { amount: 5_000, mobile: '0712345005' });
  const second = await makeBill(runtime(), shop, { amount: 6_000 });
  const wanted: BillAddress[] = [
    { ...scope, id: second },
    { ...other.scope('sandbox'), id: first },
    { ...scope, environment: 'live', id: first },
    { ...scope, id: first.toUpperCase() },
    { ...scope, id: randomUUID() },
    { ...scope, id: second },
  ];
  const bills = await findBillDetails(runtime().db, wanted);
  expect(bills.map((bill) => bill && [bill.id, bill.attemptState])).toEqual([
    [second, null],
    null,
    null,
    [first, 'QUEUED'],
    null,
    [second, null],
  ]);
});

test('a bill is read by its id and the attempts by their bill, also with plans that were made while the tables were empty', async () => {
  const merchant = await makeMerchant(runtime());
  const scope = merchant.scope('sandbox');
  const id = await makeBill(runtime(), merchant, { amount: 5_000 });
  await runtime().db.transaction(async (tx) => {
    const read = () => findBillDetails(tx, [{ ...scope, id }]);
    // Simulates a connection that prepared the statements while the tables were empty.
    await tx.query({ text: 'SET LOCAL plan_cache_mode = force_generic_plan' });
    await read();
    await makePastDays(tx, scope, { bills: 3_000, days: 3, now: runtime().clock() });
    const rows = await rowsRead(tx, ['bill', 'push_attempt'], async () => expect(await read()).toMatchObject([{ id }]));
    expect(rows).toEqual([
      { table: 'bill', rows: 1 },
      { table: 'push_attempt', rows: 0 },
    ]);
  });
});

test('a bill and its newest attempt are read by one statement, so that an answer never mixes two moments', async () => {
  const merchant = await makeMerchant(runtime());
  const wanted = { ...merchant.scope('sandbox'), id: await makeBill(runtime(), merchant) };
  for (const all of [[wanted], [wanted, wanted]]) {
    let statements = 0;
    const counting: Queryable = {
      query(statement, values) {
        statements += 1;
        return runtime().db.query(statement, values);
      },
    };
    expect(await findBillDetails(counting, all)).toHaveLength(all.length);
    expect(statements).toBe(1);
  }
});

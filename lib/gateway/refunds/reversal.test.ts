import { describe, expect, test } from 'vitest';
import { findBill } from '@/lib/gateway/bills/store';
import { readBalance } from '@/lib/gateway/ledger/balance-store';
import { bookReversal } from '@/lib/gateway/ledger/book-reversal';
import { findPaymentsOfBill } from '@/lib/gateway/ledger/payment-store';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { claimRefunds, findRefund } from '@/lib/gateway/refund-states/store';
import { resolveReview } from '@/lib/gateway/reviews/resolve-review';
import { listReviews } from '@/lib/gateway/reviews/store';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { requestReversal } from './ask-refund';
import { settleRefund } from './decide-refund';
import { listAllRefunds } from './list-refunds';
import { workRefund } from './work-refund';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);
const fullReversal = { amount: null, reason: 'wrong goods', actor: TEST_OPERATOR } as const;

async function paidBill(): Promise<{ billId: string; paymentId: string; merchant: TestMerchant }> {
  const merchant = await makeMerchant(runtime());
  await runtime().db.query({ text: "UPDATE webhook_endpoint SET url = 'http://127.0.0.1:9/' WHERE merchant_id = $1" }, [
    merchant.merchant.id,
  ]);
  const billId = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0712345001' });
  await sandbox.settle(billId);
  const [payment] = await findPaymentsOfBill(runtime().db, billId);
  if (!payment) throw new Error('it was not paid');
  return { billId, paymentId: payment.id, merchant };
}

const bill = (merchant: TestMerchant, id: string) => findBill(runtime().db, merchant.scope('sandbox'), id);
const statuses = async (billId: string) =>
  (
    await runtime().db.query<{ body: Buffer }>({ text: 'SELECT body FROM webhook_delivery WHERE bill_id = $1 ORDER BY event_number' }, [
      billId,
    ])
  ).map(({ body }) => JSON.parse(body.toString()).bill.status);
const breaches = async () => (await verifyLedger(runtime().db)).filter(({ count }) => count > 0);

async function requested(paymentId: string): Promise<string> {
  const request = await requestReversal(sandbox.runtime(), { ...fullReversal, paymentId });
  if (!request.ok) throw new Error(request.error);
  return request.value;
}

describe('a reversed payment', () => {
  test('has a reversal in the ledger, makes the bill unpaid and causes one webhook', async () => {
    const { billId, paymentId, merchant } = await paidBill();
    const before = (await bill(merchant, billId))?.paidAt;
    expect(before).toBeInstanceOf(Date);
    const id = await requested(paymentId);
    expect(await requestReversal(sandbox.runtime(), { ...fullReversal, paymentId })).toEqual({ ok: false, error: 'refund_open' });
    await sandbox.settle(billId);

    expect(await findRefund(runtime().db, id)).toMatchObject({ state: 'DONE' });
    expect(await bill(merchant, billId)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n, paidAt: before });
    expect(await statuses(billId)).toEqual(['FULLY_PAID', 'NOT_PAID']);
    const [payment] = await findPaymentsOfBill(runtime().db, billId);
    if (!payment) throw new Error('the payment is gone');
    expect(await readBalance(runtime().db, payment)).toMatchObject({ kept: 0n, unmatched: 0n, allocated: [] });
    expect(await requestReversal(sandbox.runtime(), { ...fullReversal, paymentId })).toEqual({ ok: false, error: 'nothing_to_refund' });
    expect(await breaches()).toEqual([]);
  });

  test('is booked once when the provider reports the reversal many times, with or without receipt and amount', async () => {
    const { billId, merchant } = await paidBill();
    const [payment] = await findPaymentsOfBill(runtime().db, billId);
    if (!payment) throw new Error('it was not paid');
    const reported = { account: { id: payment.providerAccountId, environment: 'sandbox' }, transactionId: payment.transactionId } as const;
    const withoutReceipt = { ...reported, reversalTransactionId: null, amount: null, source: 'status' } as const;
    const results = await Promise.all(Array.from({ length: 20 }, () => bookReversal(runtime(), withoutReceipt)));
    expect(results.filter((result) => result === 'booked')).toHaveLength(1);
    expect(await bookReversal(runtime(), { ...withoutReceipt, reversalTransactionId: 'LATER-NAMED', amount: 500_000n })).toBe('known');
    expect(await bookReversal(runtime(), { ...withoutReceipt, transactionId: 'NOBODYS' })).toBe('no_payment');
    expect(await bill(merchant, billId)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await breaches()).toEqual([]);
  });

  test('can be reversed in parts, which never exceed the payment', async () => {
    const { billId, merchant } = await paidBill();
    const [payment] = await findPaymentsOfBill(runtime().db, billId);
    if (!payment) throw new Error('it was not paid');
    const part = (reversalTransactionId: string, amount: bigint) =>
      bookReversal(runtime(), {
        account: { id: payment.providerAccountId, environment: 'sandbox' },
        transactionId: payment.transactionId,
        reversalTransactionId,
        amount,
        source: 'statement',
      });
    expect(await part(`${billId}-1`, 200_000n)).toBe('booked');
    expect(await bill(merchant, billId)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 300_000n });
    expect(await part(`${billId}-1`, 200_000n)).toBe('known');
    expect(await part(`${billId}-2`, 300_001n)).toBe('exceeds');
    expect(await part(`${billId}-3`, 300_000n)).toBe('booked');
    expect(await statuses(billId)).toEqual(['FULLY_PAID', 'PARTIALLY_PAID', 'NOT_PAID']);
    expect(await breaches()).toEqual([]);
  });
});

describe('a reversal request', () => {
  test('is rejected with a reason if it is impossible', async () => {
    const { paymentId } = await paidBill();
    const request = (changes: object) => requestReversal(sandbox.runtime(), { ...fullReversal, paymentId, ...changes });
    expect(await request({ paymentId: 'nonsense' })).toEqual({ ok: false, error: 'payment_not_found' });
    expect(await request({ paymentId: crypto.randomUUID() })).toEqual({ ok: false, error: 'payment_not_found' });
    expect(await request({ amount: 150n })).toEqual({ ok: false, error: 'not_whole_shillings' });
    expect(await request({ amount: 500_001n })).toEqual({ ok: false, error: 'refund_more_than_left' });
    expect(await request({ amount: 0n })).toEqual({ ok: false, error: 'refund_more_than_left' });
  });

  test('is not sent by a worker that has lost its lease', async () => {
    const { paymentId } = await paidBill();
    const id = await requested(paymentId);
    const { db, clock } = runtime();
    const [late] = await claimRefunds(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 10 });
    if (!late) throw new Error('the request is not due');
    runtime().advance(2 * MINUTE_MS);
    await sandbox.step();
    expect(await findRefund(db, id)).toMatchObject({ state: 'UNKNOWN', sendCount: 1 });
    await workRefund(sandbox.runtime(), late, new AbortController().signal);
    runtime().advance(HOUR_MS);
    await sandbox.step();
    // The provider does not know the request: it was never sent.
    expect(await findRefund(db, id)).toMatchObject({ state: 'UNKNOWN' });
    const settlement = { id, reason: 'ticket 16', actor: TEST_OPERATOR };
    expect(await settleRefund(runtime(), { ...settlement, outcome: { kind: 'failed' } })).toMatchObject({ ok: true });
    expect(await breaches()).toEqual([]);
  });

  test('whose worker died is queried, not sent again, and gets a review after 72 hours', async () => {
    const { billId, paymentId, merchant } = await paidBill();
    const before = (await bill(merchant, billId))?.paidAt;
    expect(before).toBeInstanceOf(Date);
    const id = await requested(paymentId);
    const { db, clock } = runtime();
    expect(await claimRefunds(db, { now: clock(), leaseUntil: clock(), limit: 10 })).toHaveLength(1);
    for (let hour = 0; hour < 80; hour += 1) {
      runtime().advance(60 * MINUTE_MS);
      await sandbox.step();
    }
    expect(await findRefund(db, id)).toMatchObject({ state: 'UNKNOWN', sendCount: 1 });
    const reviews = await listReviews(db, { all: false });
    expect(reviews).toMatchObject([{ kind: 'refund_unresolved', refundId: id }]);
    const settlement = { id, reason: 'ticket 17', actor: TEST_OPERATOR };
    const resolved = await resolveReview(runtime(), { id: reviews[0]?.id ?? '', resolution: 'I called them', actor: settlement.actor });
    expect(resolved).toEqual({ ok: false, error: 'refund_unresolved' });
    expect(await bill(merchant, billId)).toMatchObject({ status: 'FULLY_PAID' });
    expect(await breaches()).toEqual([]);

    expect(await settleRefund(runtime(), { ...settlement, outcome: { kind: 'refunded', transactionId: `R-${id}` } })).toEqual({
      ok: true,
      value: null,
    });
    expect(await bill(merchant, billId)).toMatchObject({ status: 'NOT_PAID' });
    expect(await listReviews(db, { all: false })).toEqual([]);
    expect(await settleRefund(runtime(), { ...settlement, outcome: { kind: 'failed' } })).toEqual({
      ok: false,
      error: 'already_settled',
    });
  });

  test('that an operator settles as failed is not sent any more, and the bill stays paid', async () => {
    const { billId, paymentId, merchant } = await paidBill();
    const before = (await bill(merchant, billId))?.paidAt;
    expect(before).toBeInstanceOf(Date);
    const id = await requested(paymentId);
    const settlement = { id, reason: 'ticket 18', actor: TEST_OPERATOR };
    expect(await settleRefund(runtime(), { ...settlement, outcome: { kind: 'failed' } })).toEqual({ ok: true, value: null });
    expect(await listAllRefunds(runtime().db, 1)).toMatchObject([{ id, state: 'FAILED', failureReason: 'rejected' }]);
    runtime().advance(DAY_MS);
    await sandbox.step();
    expect(await bill(merchant, billId)).toMatchObject({ status: 'FULLY_PAID' });
    expect(await breaches()).toEqual([]);
  });
});

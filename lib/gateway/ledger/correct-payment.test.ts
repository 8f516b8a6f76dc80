import { describe, expect, test } from 'vitest';
import { settleAttempt } from '@/lib/gateway/attempts/settle-attempt';
import { findBill } from '@/lib/gateway/bills/store';
import type { Attempt } from '@/lib/gateway/payments/rules';
import { refundOutside, requestReversal } from '@/lib/gateway/refunds/ask-refund';
import { listReviews } from '@/lib/gateway/reviews/store';
import { operatorActor } from '@/lib/platform/core/actor';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { type Till, testReconciling, uniqueId } from '@/testing/data/reconciling';
import { makeBill, testRuntime } from '@/testing/runtime';
import { allocatePayment } from './allocate-payment';
import { readBalance } from './balance-store';
import { bookReversal } from './book-reversal';
import { correctPayment, movePayment } from './correct-payment';
import { listUnmatched } from './listing-store';
import { findPayment } from './payment-store';
import { recordUnmatched } from './record-unmatched';
import { verifyLedger } from './verify-ledger';

const runtime = testRuntime();
const tools = testReconciling(runtime);
const { makeTill, unknownAttempt, paidAttempt, report, billOf, rows } = tools;
const origin = { reason: 'ticket 4711', actor: operatorActor('asha'), reviewId: null };

async function paymentAt({ id }: Till, transactionId: string) {
  const payment = await findPayment(runtime().db, id, transactionId);
  if (!payment) throw new Error(`${transactionId} is not in the ledger`);
  return payment;
}

async function paid() {
  const till = await makeTill();
  await runtime().db.query({ text: "UPDATE webhook_endpoint SET url = 'http://127.0.0.1:9/' WHERE merchant_id = $1" }, [
    till.merchant.merchant.id,
  ]);
  const receipt = uniqueId('T');
  const attempt = await paidAttempt(till, receipt);
  return { till, receipt, attempt, payment: await paymentAt(till, receipt) };
}

const correct = (entryId: string, to: bigint, changes: object = {}) => correctPayment(runtime(), { entryId, to, ...origin, ...changes });
const balanceOf = async (till: Till, receipt: string) => readBalance(runtime().db, await paymentAt(till, receipt));
const eventsOf = ({ billId }: Attempt) => rows("SELECT data FROM bill_event WHERE bill_id = $1 AND type = 'payment.corrected'", billId);
const breaches = async () => (await verifyLedger(runtime().db)).filter(({ count }) => count > 0);

describe('a correction', () => {
  test('adds an entry with reason and person, and changes the bill with an event and a webhook', async () => {
    const { till, receipt, attempt, payment } = await paid();
    const { billId } = attempt;
    expect(await correct(payment.id, 400_000n)).toMatchObject({
      ok: true,
      value: { from: 500_000n, to: 400_000n, bills: [{ billId, amount: -100_000n }], unmatched: 0n },
    });
    expect(await billOf(till, attempt)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 400_000n });
    expect(await balanceOf(till, receipt)).toMatchObject({
      payment: { amount: 500_000n },
      received: 400_000n,
      kept: 400_000n,
      corrections: [{ correctsId: payment.id, amount: -100_000n, reason: origin.reason, createdBy: origin.actor.name }],
    });
    const common = { by: origin.actor.name, reason: origin.reason, payment: payment.id, transactionId: receipt };
    expect(await eventsOf(attempt)).toMatchObject([{ data: { ...common, from: '500000', to: '400000', amount: '-100000' } }]);
    expect(await rows('SELECT bill_status FROM webhook_delivery WHERE bill_id = $1 ORDER BY event_number', billId)).toEqual([
      { bill_status: 'FULLY_PAID' },
      { bill_status: 'PARTIALLY_PAID' },
    ]);
    expect(await rows("SELECT actor, data FROM audit_entry WHERE action = 'payment.corrected' AND subject = $1", payment.id)).toMatchObject(
      [{ actor: origin.actor.name, data: { before: { amount: '500000' }, after: { amount: '400000' }, reason: origin.reason } }],
    );

    expect(await correct(payment.id, 400_000n)).toEqual({ ok: false, error: 'nothing_to_correct' });
    expect(await correct(payment.id, 500_000n)).toMatchObject({ ok: true, value: { bills: [{ billId, amount: 100_000n }] } });
    expect(await billOf(till, attempt)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n });
    expect(await breaches()).toEqual([]);
  });

  test('to 0 allows the right receipt after a mistyped one', async () => {
    const till = await makeTill();
    const [mistyped, real] = [uniqueId('T'), uniqueId('T')];
    const attempt = await unknownAttempt(till);
    const settle = (transactionId: string, isSecondPayment = false) =>
      settleAttempt(runtime(), {
        attemptId: attempt.id,
        outcome: { kind: 'paid', transactionId, amount: 500_000n },
        reason: 'x',
        actor: operatorActor('y'),
        isSecondPayment,
      });
    expect(await settle(mistyped)).toMatchObject({ ok: true, value: { state: 'SUCCEEDED' } });
    expect(await settle(real)).toEqual({ ok: false, error: 'has_receipt' });
    expect(await settle(mistyped)).toMatchObject({ ok: true });

    expect(await correct((await paymentAt(till, mistyped)).id, 0n)).toMatchObject({ ok: true });
    expect(await billOf(till, attempt)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await settle(real)).toMatchObject({ ok: true, value: { unmatched: false } });
    expect(await billOf(till, attempt)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n });
    expect(await settle(uniqueId('T'))).toEqual({ ok: false, error: 'has_receipt' });
    expect(await settle(uniqueId('T'), true)).toMatchObject({ ok: true, value: { unmatched: true } });
    expect(await breaches()).toEqual([]);
  });

  test('of a reversal returns the surplus to the bill and closes the review', async () => {
    const { till, receipt, attempt, payment } = await paid();
    await report(till, attempt, {
      kind: 'reversed',
      transactionId: receipt,
      amount: 500_000n,
      reversed: null,
      reversalTransactionId: null,
    });
    const [reversal] = (await balanceOf(till, receipt)).reversals;
    const review = (await listReviews(runtime().db, { all: false })).find(({ paymentId }) => paymentId === reversal?.id);
    expect(review).toMatchObject({ kind: 'reversal_assumed', entryId: reversal?.id });
    const other = await paid();
    const reviewId = review?.id ?? '';
    expect(await correct(other.payment.id, 1n, { reviewId })).toEqual({ ok: false, error: 'review_not_found' });
    expect(await correct(reversal?.id ?? '', 600_000n, { reviewId })).toEqual({ ok: false, error: 'more_than_left' });
    expect(await correct(reversal?.id ?? '', 100_000n, { reviewId })).toMatchObject({
      ok: true,
      value: { from: 500_000n, bills: [{ billId: attempt.billId, amount: 400_000n }], unmatched: 0n },
    });
    expect(await billOf(till, attempt)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 400_000n });
    expect(await rows('SELECT reversed_amount FROM bill WHERE id = $1', attempt.billId)).toEqual([{ reversed_amount: 100_000n }]);
    expect(await rows('SELECT resolved_by, resolution FROM review WHERE id = $1', reviewId)).toEqual([
      { resolved_by: origin.actor.name, resolution: origin.reason },
    ]);
    expect(await rows("SELECT actor FROM audit_entry WHERE action = 'review.resolved' AND subject = $1", reviewId)).toEqual([
      { actor: origin.actor.name },
    ]);
    expect(await correct(payment.id, 50_000n)).toEqual({ ok: false, error: 'more_than_left' });
    expect(await breaches()).toEqual([]);
  });

  test('of unmatched money changes the unmatched amount, and so does an increase for a payment with several bills', async () => {
    const till = await makeTill();
    const receipt = uniqueId('U');
    await tools.keep(till, receipt);
    const payment = await paymentAt(till, receipt);
    const unmatched = async () => (await listUnmatched(runtime().db, 1_000)).find(({ id }) => id === payment.id)?.unmatched;
    expect(await correct(payment.id, 200_000n)).toMatchObject({ ok: true, value: { bills: [], unmatched: 200_000n } });
    expect(await unmatched()).toBe(200_000n);
    const bills = [await makeBill(runtime(), till.merchant), await makeBill(runtime(), till.merchant)];
    for (const billId of bills)
      await allocatePayment(runtime(), { paymentId: payment.id, billId, amount: 100_000n, reason: 'x', actor: operatorActor('y') });
    expect(await unmatched()).toBeUndefined();
    expect(await correct(payment.id, 300_000n)).toMatchObject({ ok: true, value: { bills: [], unmatched: 100_000n } });
    expect(await unmatched()).toBe(100_000n);
    expect(await breaches()).toEqual([]);
  });

  test('is rejected for unknown entries and while a reversal is open', async () => {
    const { payment } = await paid();
    expect(await correct('nonsense', 0n)).toEqual({ ok: false, error: 'not_found' });
    expect(await correct(crypto.randomUUID(), 0n)).toEqual({ ok: false, error: 'not_found' });
    expect(await requestReversal(runtime(), { paymentId: payment.id, amount: null, reason: 'x', actor: operatorActor('y') })).toMatchObject(
      { ok: true },
    );
    expect(await correct(payment.id, 0n)).toEqual({ ok: false, error: 'refund_open' });
  });

  test('of a mistyped receipt to 0 lets the true receipt pay the bill', async () => {
    const { till, attempt, payment } = await paid();
    expect(await correct(payment.id, 0n)).toMatchObject({ ok: true });
    expect(await billOf(till, attempt)).toMatchObject({ status: 'NOT_PAID' });
    await report(till, attempt, { kind: 'paid', transactionId: uniqueId('T'), amount: 500_000n }, 'status');
    expect(await billOf(till, attempt)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n });
    await report(till, attempt, { kind: 'paid', transactionId: uniqueId('T'), amount: 500_000n }, 'status');
    expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 500_000n });
    expect(await breaches()).toEqual([]);
  });

  test('by ten people at the same time is made once', async () => {
    const { till, attempt, payment } = await paid();
    const done = await Promise.all(Array.from({ length: 10 }, () => correct(payment.id, 100_000n)));
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 100_000n });
  });

  test('gives the amount with which later statements and callbacks are compared', async () => {
    const { till, receipt, attempt, payment } = await paid();
    await correct(payment.id, 400_000n);
    const phantom = await paidAttempt(till, uniqueId('T'));
    const [{ id: phantomId = '' } = {}] = await rows('SELECT id::text FROM payment WHERE attempt_id = $1', phantom.id);
    await correct(String(phantomId), 0n);
    await report(till, attempt, { kind: 'paid', transactionId: receipt, amount: 400_000n });
    const read = async (amount: number) => {
      const { run } = await tools.reconcile({ accountId: till.id, file: tools.csv(tools.payment(receipt, amount)), period: tools.today() });
      return (await tools.linesOf(run.id)).map(({ finding, ledgerAmount }) => ({ finding, ledgerAmount }));
    };
    expect(await read(4000)).toEqual([{ finding: 'matched', ledgerAmount: 400_000n }]);
    expect(await rows('SELECT 1 FROM review WHERE payment_id = ANY ($1::uuid[])', [payment.id, phantomId])).toEqual([]);
    expect(await read(5000)).toEqual([{ finding: 'amount_differs', ledgerAmount: 400_000n }]);
  });
});

test('a reversal takes from the bill to which the payment was allocated last', async () => {
  const till = await makeTill();
  const receipt = uniqueId('U');
  await tools.keep(till, receipt);
  const payment = await paymentAt(till, receipt);
  const [first, last] = [await unknownAttempt(till), await unknownAttempt(till)];
  for (const { billId } of [first, last])
    await allocatePayment(runtime(), { paymentId: payment.id, billId, amount: 250_000n, reason: 'x', actor: origin.actor });
  const account = { id: till.id, environment: 'sandbox' } as const;
  const reversed = { amount: 300_000n, reversalTransactionId: uniqueId('R'), source: 'statement' } as const;
  expect(await bookReversal(runtime(), { account, transactionId: receipt, ...reversed })).toBe('booked');
  expect(await billOf(till, last)).toMatchObject({ paidAmount: 0n });
  expect(await billOf(till, first)).toMatchObject({ paidAmount: 200_000n });
});

describe('money that was refunded outside Bili', () => {
  const unmatchedOf = async (id: string) => (await listUnmatched(runtime().db, 1_000)).find((payment) => payment.id === id)?.unmatched;
  const refund = (paymentId: string, amount: bigint | null = null) =>
    refundOutside(runtime(), { paymentId, amount, reason: 'cash', actor: origin.actor });
  const allocate = (paymentId: string, billId: string, amount: bigint | null = null) =>
    allocatePayment(runtime(), { paymentId, billId, amount, reason: origin.reason, actor: origin.actor });
  async function kept() {
    const till = await makeTill();
    const receipt = uniqueId('U');
    await tools.keep(till, receipt);
    return { till, receipt, payment: await paymentAt(till, receipt), billId: await makeBill(runtime(), till.merchant, { amount: 10_000 }) };
  }

  test('is the refunded amount, and money that becomes unmatched later is not part of it', async () => {
    const { till, receipt, payment, billId } = await kept();
    expect(await allocate(payment.id, billId, 400_000n)).toMatchObject({ ok: true });
    expect(await refund(payment.id)).toMatchObject({ ok: true });
    expect(await correct(payment.id, 700_000n)).toMatchObject({ ok: true, value: { bills: [], unmatched: 200_000n } });
    expect(await unmatchedOf(payment.id)).toBe(200_000n);
    expect(await balanceOf(till, receipt)).toMatchObject({ unmatched: 200_000n, refunded: 100_000n });
    expect(await refund(payment.id, 200_100n)).toEqual({ ok: false, error: 'refund_more_than_left' });
    expect(await refund(payment.id, 50_000n)).toMatchObject({ ok: true });
    expect(await allocate(payment.id, billId)).toEqual({ ok: true, value: 150_000n });
    expect(await allocate(payment.id, billId)).toEqual({ ok: false, error: 'refunded' });
    expect(await refund(payment.id)).toEqual({ ok: false, error: 'nothing_to_refund' });
    // A lower true amount is taken from the bill, because the refunded part is gone.
    expect(await correct(payment.id, 600_000n)).toMatchObject({
      ok: true,
      value: { bills: [{ billId, amount: -100_000n }], unmatched: 0n },
    });
    expect(await correct(payment.id, 100_000n)).toMatchObject({
      ok: true,
      value: { bills: [{ billId, amount: -450_000n }], unmatched: 0n },
    });
    expect(await balanceOf(till, receipt)).toMatchObject({ kept: 100_000n, unmatched: 0n, refunded: 100_000n, allocated: [] });
    expect(await unmatchedOf(payment.id)).toBeUndefined();
    expect(await breaches()).toEqual([]);
  });

  test('is reversed after everything else', async () => {
    const { till, receipt, payment, billId } = await kept();
    await allocate(payment.id, billId, 300_000n);
    await refund(payment.id, 100_000n);
    const account = { id: till.id, environment: 'sandbox' } as const;
    const reversed = (amount: bigint) =>
      bookReversal(runtime(), { account, transactionId: receipt, reversalTransactionId: uniqueId('R'), amount, source: 'statement' });
    expect(await reversed(150_000n)).toBe('booked');
    expect(await balanceOf(till, receipt)).toMatchObject({
      unmatched: 0n,
      refunded: 100_000n,
      allocated: [{ billId, amount: 250_000n }],
    });
    expect(await reversed(350_000n)).toBe('booked');
    expect(await balanceOf(till, receipt)).toMatchObject({ kept: 0n, unmatched: 0n, refunded: 0n, allocated: [] });
    expect(await breaches()).toEqual([]);
  });

  test('stays refunded when a correction brings money back', async () => {
    const { till, receipt, payment, billId } = await kept();
    await allocate(payment.id, billId, 400_000n);
    await refund(payment.id);
    expect(await correct(payment.id, 0n)).toMatchObject({ ok: true, value: { bills: [{ billId, amount: -400_000n }] } });
    expect(await correct(payment.id, 500_000n)).toMatchObject({ ok: true, value: { bills: [], unmatched: 400_000n } });
    expect(await balanceOf(till, receipt)).toMatchObject({ unmatched: 400_000n, refunded: 100_000n, allocated: [] });
    expect(await allocate(payment.id, billId)).toEqual({ ok: true, value: 400_000n });

    const reversal = uniqueId('R');
    const account = { id: till.id, environment: 'sandbox' } as const;
    const all = { transactionId: receipt, reversalTransactionId: reversal, amount: 500_000n, source: 'statement' } as const;
    expect(await bookReversal(runtime(), { account, ...all })).toBe('booked');
    const [booked] = (await balanceOf(till, receipt)).reversals;
    // Of the 150,000 that come back, the customer has got 100,000 outside Bili.
    expect(await correct(booked?.id ?? '', 350_000n)).toMatchObject({
      ok: true,
      value: { bills: [{ billId, amount: 50_000n }], unmatched: 0n },
    });
    expect(await balanceOf(till, receipt)).toMatchObject({
      unmatched: 0n,
      refunded: 100_000n,
      allocated: [{ billId, amount: 50_000n }],
    });
    expect(await breaches()).toEqual([]);
  });

  test.each([
    ['was refunded outside Bili', (id: string) => refund(id)],
    ['was partly refunded outside Bili', (id: string) => refund(id, 100_000n)],
    [
      'was partly reversed',
      async (_id: string, till: Till, receipt: string) => {
        const account = { id: till.id, environment: 'sandbox' } as const;
        const part = { amount: 100_000n, reversalTransactionId: uniqueId('R'), source: 'statement' } as const;
        return bookReversal(runtime(), { account, transactionId: receipt, ...part });
      },
    ],
  ])('money that %s is not allocated to an attempt by itself', async (_name, use) => {
    const { till, receipt, payment } = await kept();
    await use(payment.id, till, receipt);
    const attempt = await unknownAttempt(till);
    await report(till, attempt, { kind: 'paid', transactionId: receipt, amount: 500_000n });
    expect(await billOf(till, attempt)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect((await listReviews(runtime().db, { all: false })).filter(({ attemptId }) => attemptId === attempt.id)).toMatchObject([
      { kind: 'receipt_conflict' },
    ]);
    expect(await breaches()).toEqual([]);
  });

  test('cannot be allocated or refunded twice, whatever statement tries it', async () => {
    const { till, payment, billId } = await kept();
    await refund(payment.id, 300_000n);
    const write = (text: string, ...values: unknown[]) => runtime().db.query({ text }, [payment.id, ...values]);
    const refused = 'is allocated or given back than there is';
    const giveBack = (amount: bigint) =>
      write(
        `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, source, amount,
           reverses_id, recorded_at)
         SELECT gen_random_uuid(), environment, merchant_id, provider_account_id, $3, 'refund', 'cash', $2, id, now() FROM payment WHERE id = $1`,
        amount,
        uniqueId('B'),
      );
    await expect(giveBack(200_001n)).rejects.toThrow(refused);
    await expect(
      write(
        `WITH paid AS (UPDATE bill SET paid_amount = 200001, status = 'PARTIALLY_PAID' WHERE id = $2)
         INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
         VALUES (gen_random_uuid(), $3, 'sandbox', $1, $2, 200001, 'test', now())`,
        billId,
        till.merchant.merchant.id,
      ),
    ).rejects.toThrow(refused);
  });
});

describe('a payment that belongs to another bill', () => {
  test('is moved there with its unmatched part, from several bills', async () => {
    const till = await makeTill();
    const receipt = uniqueId('U');
    await tools.keep(till, receipt);
    const payment = await paymentAt(till, receipt);
    const [first, second, last] = [await unknownAttempt(till), await unknownAttempt(till), await unknownAttempt(till)];
    for (const [{ billId }, amount] of [
      [first, 100_000n],
      [second, 200_000n],
    ] as const)
      await allocatePayment(runtime(), { paymentId: payment.id, billId, amount, reason: 'x', actor: origin.actor });
    expect(await movePayment(runtime(), { paymentId: payment.id, billId: last.billId, ...origin })).toEqual({ ok: true, value: 500_000n });
    expect(await billOf(till, last)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n });
    expect(await balanceOf(till, receipt)).toMatchObject({ unmatched: 0n, allocated: [{ billId: last.billId, amount: 500_000n }] });
    expect(await breaches()).toEqual([]);
  });

  test('is moved there, and the review of the receipt is closed', async () => {
    const { till, receipt, attempt, payment } = await paid();
    const other = await unknownAttempt(till);
    await report(till, other, { kind: 'paid', transactionId: receipt, amount: 500_000n });
    const [review] = (await listReviews(runtime().db, { all: false })).filter(({ attemptId }) => attemptId === other.id);
    expect(review).toMatchObject({ kind: 'receipt_conflict', entryId: payment.id });
    const move = (changes: object = {}) =>
      movePayment(runtime(), { paymentId: payment.id, billId: other.billId, ...origin, reviewId: review?.id ?? '', ...changes });
    const foreign = await paid();
    expect(await move({ billId: foreign.attempt.billId })).toEqual({ ok: false, error: 'other_merchant' });
    expect(await move()).toEqual({ ok: true, value: 500_000n });
    expect(await move({ reviewId: null })).toEqual({ ok: false, error: 'nothing_to_move' });
    expect(await billOf(till, attempt)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await billOf(till, other)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n });
    expect(await rows('SELECT resolved_by FROM review WHERE id = $1', review?.id)).toEqual([{ resolved_by: origin.actor.name }]);
    expect(await balanceOf(till, receipt)).toMatchObject({ received: 500_000n, allocated: [{ billId: other.billId, amount: 500_000n }] });

    await report(till, attempt, {
      kind: 'reversed',
      transactionId: receipt,
      amount: 500_000n,
      reversed: 500_000n,
      reversalTransactionId: uniqueId('R'),
    });
    expect(await findBill(runtime().db, till.merchant.scope('sandbox'), other.billId)).toMatchObject({ status: 'NOT_PAID' });
    expect(await breaches()).toEqual([]);
  });
});

describe('what a provider says about a payment', () => {
  test('its fee is stored once, also if it becomes known after the payment', async () => {
    const { till, receipt, attempt } = await paid();
    const outcome = { kind: 'paid', transactionId: receipt, amount: 500_000n } as const;
    expect(await balanceOf(till, receipt)).toMatchObject({ fee: null });
    await report(till, attempt, { ...outcome, fee: 5_750n }, 'status');
    await report(till, attempt, { ...outcome, fee: 9_999n }, 'status');
    expect(await balanceOf(till, receipt)).toMatchObject({ fee: 5_750n });
    const first = uniqueId('T');
    await report(till, await unknownAttempt(till), { ...outcome, transactionId: first, fee: 100n });
    expect(await balanceOf(till, first)).toMatchObject({ fee: 100n });
    const stray = { account: { id: till.id, environment: 'sandbox' }, mobile: null, source: 'callback' } as const;
    const kept = { ...outcome, transactionId: uniqueId('T') };
    await recordUnmatched(runtime(), { ...stray, outcome: kept });
    await recordUnmatched(runtime(), { ...stray, outcome: { ...kept, fee: 200n } });
    expect(await balanceOf(till, kept.transactionId)).toMatchObject({ fee: 200n });
    for (const change of ['UPDATE payment_fee SET amount = 0', 'DELETE FROM payment_fee'])
      await expect(rows(change)).rejects.toThrow('never changed');
  });

  test('its time is stored with payments and reversals, but never a time in the future', async () => {
    const till = await makeTill();
    const [receipt, early, back] = [uniqueId('T'), uniqueId('T'), uniqueId('R')];
    const happenedAt = addMs(runtime().clock(), -5 * DAY_MS);
    const reversedAt = addMs(happenedAt, DAY_MS);
    const outcome = {
      kind: 'reversed',
      transactionId: receipt,
      amount: 500_000n,
      reversed: 500_000n,
      reversalTransactionId: back,
    } as const;
    await report(till, await unknownAttempt(till), { ...outcome, happenedAt, reversedAt });
    expect(await rows('SELECT happened_at FROM payment WHERE provider_transaction_id = ANY ($1) ORDER BY id', [receipt, back])).toEqual([
      { happened_at: happenedAt },
      { happened_at: reversedAt },
    ]);
    await report(till, await unknownAttempt(till), {
      kind: 'paid',
      transactionId: early,
      amount: 500_000n,
      happenedAt: addMs(runtime().clock(), DAY_MS),
    });
    expect(await rows('SELECT happened_at = recorded_at AS now FROM payment WHERE provider_transaction_id = $1', early)).toEqual([
      { now: true },
    ]);
    const file = tools.csv(tools.payment(uniqueId('T'), 5000, '', happenedAt.toISOString()));
    await tools.reconcile({ accountId: till.id, file, period: { from: addMs(happenedAt, -DAY_MS), to: addMs(happenedAt, DAY_MS) } });
    expect(
      await rows('SELECT count(*)::int AS n FROM payment WHERE provider_account_id = $1 AND happened_at = $2', till.id, happenedAt),
    ).toEqual([{ n: 2 }]);
  });
});

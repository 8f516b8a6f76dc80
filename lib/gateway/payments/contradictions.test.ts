import { expect, test } from 'vitest';
import { recordUnmatched } from '@/lib/gateway/ledger/record-unmatched';
import { listReviews } from '@/lib/gateway/reviews/store';
import { testReconciling, uniqueId } from '@/testing/data/reconciling';
import { testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { makeTill, unknownAttempt, paidAttempt, report, billOf, rows } = testReconciling(runtime);

const reviewsOf = async (id: string) =>
  (await listReviews(runtime().db, { all: false })).filter(({ attemptId, paymentId }) => attemptId === id || paymentId === id);
const eventsOf = (billId: string, type: string) =>
  rows('SELECT data FROM bill_event WHERE bill_id = $1 AND type = $2 ORDER BY number', billId, type);
async function paymentOf(transactionId: string): Promise<string> {
  const [payment] = await rows("SELECT id FROM payment WHERE provider_transaction_id = $1 AND kind = 'payment'", transactionId);
  return String(payment?.id);
}

test('a receipt that is reported again with another amount gets a review with both amounts, and the ledger does not change', async () => {
  const till = await makeTill();
  const transactionId = uniqueId('T');
  const attempt = await paidAttempt(till, transactionId);
  const paymentId = await paymentOf(transactionId);
  const reported = (amount: bigint) => ({
    source: 'callback',
    payment: paymentId,
    transactionId,
    amount: `${amount}`,
    ledgerAmount: '500000',
  });
  for (const amount of [500_000n, 50_000n, 50_000n, 5_000_000n]) await report(till, attempt, { kind: 'paid', transactionId, amount });

  expect(await reviewsOf(paymentId)).toMatchObject([
    { kind: 'contradiction', data: { ...reported(50_000n), more: [reported(5_000_000n)] } },
  ]);
  expect(await eventsOf(attempt.billId, 'payment.contradicted')).toEqual([{ data: reported(50_000n) }, { data: reported(5_000_000n) }]);
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 500_000n, status: 'FULLY_PAID' });
});

test('no review is opened if the provider did not give the amount', async () => {
  const till = await makeTill();
  const transactionId = uniqueId('T');
  const attempt = await unknownAttempt(till);
  await report(till, attempt, { kind: 'paid', transactionId, amount: 400_000n });
  await report(till, attempt, { kind: 'paid', transactionId, amount: 500_000n, assumed: true });
  expect(await reviewsOf(await paymentOf(transactionId))).toEqual([]);
});

test('unmatched money that is reported again with another amount gets a review, with or without an attempt', async () => {
  const till = await makeTill();
  const transactionId = uniqueId('U');
  const record = (amount: bigint) =>
    recordUnmatched(runtime(), {
      account: { id: till.id, environment: 'sandbox' },
      outcome: { kind: 'paid', transactionId, amount },
      mobile: null,
      source: 'callback',
    });
  await record(300_000n);
  await record(200_000n);
  const attempt = await unknownAttempt(till);
  await report(till, attempt, { kind: 'paid', transactionId, amount: 100_000n });
  await record(250_000n);
  expect(await reviewsOf(await paymentOf(transactionId))).toMatchObject([
    { kind: 'contradiction', data: { amount: '200000', more: [{ amount: '100000' }, { amount: '250000' }] } },
  ]);
  expect(await eventsOf(attempt.billId, 'payment.contradicted')).toMatchObject([
    { data: { amount: '100000', ledgerAmount: '300000' } },
    { data: { amount: '250000', ledgerAmount: '300000' } },
  ]);
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 300_000n });
});

test('an attempt that is reported with two receipts of other attempts has one review with both, and an event for each', async () => {
  const till = await makeTill();
  const receipts = [uniqueId('A'), uniqueId('B')];
  for (const receipt of receipts) await paidAttempt(till, receipt);
  const attempt = await unknownAttempt(till);
  for (const transactionId of [...receipts, ...receipts]) await report(till, attempt, { kind: 'paid', transactionId, amount: 500_000n });
  expect(await reviewsOf(attempt.id)).toMatchObject([
    { kind: 'receipt_conflict', data: { transactionId: receipts[0], more: [{ transactionId: receipts[1] }] } },
  ]);
  expect(await eventsOf(attempt.billId, 'payment.conflict')).toMatchObject(receipts.map((transactionId) => ({ data: { transactionId } })));
});

test('an attempt that a callback reports with the receipt of another attempt is queried, and paid with its own receipt', async () => {
  const till = await makeTill();
  const [receipt, own] = [uniqueId('A'), uniqueId('B')];
  await paidAttempt(till, receipt);
  const attempt = await unknownAttempt(till);
  const due = async () => (await rows('SELECT due_at IS NOT NULL AS due FROM push_attempt WHERE id = $1', attempt.id))[0]?.due;
  await report(till, attempt, { kind: 'paid', transactionId: receipt, amount: 500_000n });
  expect([await due(), (await billOf(till, attempt))?.status]).toEqual([true, 'NOT_PAID']);
  await report(till, attempt, { kind: 'paid', transactionId: own, amount: 500_000n }, 'status');
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 500_000n, status: 'FULLY_PAID' });
  expect(await reviewsOf(attempt.id)).toEqual([]);
});

test('only a status query closes a review of a conflict or contradiction: another callback leaves it open', async () => {
  const till = await makeTill();
  const [receipt, own] = [uniqueId('A'), uniqueId('B')];
  const paidBefore = await paidAttempt(till, receipt);
  const attempt = await unknownAttempt(till);
  await report(till, attempt, { kind: 'paid', transactionId: receipt, amount: 500_000n });
  await report(till, attempt, { kind: 'paid', transactionId: own, amount: 500_000n });
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 500_000n });
  expect(await reviewsOf(attempt.id)).toMatchObject([{ kind: 'receipt_conflict' }]);

  await report(till, paidBefore, { kind: 'failed', reason: 'rejected' });
  await report(till, paidBefore, { kind: 'paid', transactionId: receipt, amount: 500_000n });
  expect(await reviewsOf(paidBefore.id)).toMatchObject([{ kind: 'contradiction' }]);
  await report(till, paidBefore, { kind: 'paid', transactionId: receipt, amount: 500_000n }, 'status');
  expect(await reviewsOf(paidBefore.id)).toEqual([]);
});

test('a review stores a limited number of further facts and counts the others', async () => {
  const till = await makeTill();
  const transactionId = uniqueId('T');
  const attempt = await paidAttempt(till, transactionId);
  for (let amount = 1n; amount <= 25n; amount += 1n) await report(till, attempt, { kind: 'paid', transactionId, amount });
  const [review] = await reviewsOf(await paymentOf(transactionId));
  expect(review?.data).toMatchObject({ omitted: 4 });
  expect(review?.data.more).toHaveLength(20);
});

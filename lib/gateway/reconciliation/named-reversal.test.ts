import { expect, test } from 'vitest';
import { bookReversal } from '@/lib/gateway/ledger/book-reversal';
import { requestReversal } from '@/lib/gateway/refunds/ask-refund';
import { listReviews } from '@/lib/gateway/reviews/store';
import { testReconciling, uniqueId } from '@/testing/data/reconciling';
import { TEST_OPERATOR, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { makeTill, paidAttempt, report, payment, reversal, csv, today, reconcile, linesOf, billOf, rows } = testReconciling(runtime);

test('of two partial reversals with the same amount, one booked without a receipt, a statement adds only the other', async () => {
  const till = await makeTill();
  const [receipt, first, second] = [uniqueId('T'), uniqueId('R'), uniqueId('R')];
  const attempt = await paidAttempt(till, receipt);
  const account = { id: till.id, environment: 'sandbox' } as const;
  const nameless = { account, transactionId: receipt, amount: 100_000n, reversalTransactionId: null, source: 'status' } as const;
  expect(await bookReversal(runtime(), nameless)).toBe('booked');

  const lines = [payment(receipt, 5000), reversal(first, 1000, receipt), reversal(second, 1000, receipt)];
  const { run } = await reconcile({ accountId: till.id, file: csv(...lines), period: today() });
  expect((await linesOf(run.id)).map(({ finding, action }) => `${finding} ${action}`)).toEqual([
    'matched none',
    'matched none',
    'theirs_only booked_reversal',
  ]);
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 300_000n });

  expect(await bookReversal(runtime(), { ...nameless, reversalTransactionId: first })).toBe('known');
  await reconcile({ accountId: till.id, file: csv(...lines.toReversed()), period: today() });
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 300_000n });
  expect(await rows('SELECT provider_transaction_id FROM reversal_receipt WHERE provider_transaction_id = $1', first)).toHaveLength(1);
});

/** Creates a payment whose provider reported a reversal without an amount. */
async function wholeReversal() {
  const till = await makeTill();
  const receipt = uniqueId('T');
  const attempt = await paidAttempt(till, receipt);
  await report(till, attempt, { kind: 'reversed', transactionId: receipt, amount: 500_000n, reversed: null, reversalTransactionId: null });
  const [booked] = await rows("SELECT id FROM payment WHERE provider_transaction_id = $1 AND kind = 'reversal'", receipt);
  const reviews = async () => (await listReviews(runtime().db, { all: true })).filter(({ paymentId }) => paymentId === booked?.id);
  return { till, receipt, attempt, reversalId: String(booked?.id), reviews };
}

test('a reversal without an amount is booked as the whole payment, and opens a review', async () => {
  const { till, receipt, attempt, reviews } = await wholeReversal();
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 0n, status: 'NOT_PAID' });
  expect(await reviews()).toMatchObject([
    { kind: 'reversal_assumed', amount: 500_000n, data: { transactionId: receipt, ledgerAmount: '500000' }, resolvedAt: null },
  ]);
});

test('a reversal without an amount does not settle a refund of a part that has not been sent', async () => {
  const till = await makeTill();
  const receipt = uniqueId('T');
  const attempt = await paidAttempt(till, receipt);
  const [paid] = await rows("SELECT id FROM payment WHERE provider_transaction_id = $1 AND kind = 'payment'", receipt);
  const part = { paymentId: String(paid?.id), amount: 100_000n, reason: 'wrong size', actor: TEST_OPERATOR };
  const asked = await requestReversal(runtime(), part);
  if (!asked.ok) throw new Error(asked.error);
  await report(till, attempt, { kind: 'reversed', transactionId: receipt, amount: 500_000n, reversed: null, reversalTransactionId: null });
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 0n });
  expect(await rows('SELECT state FROM refund WHERE id = $1', asked.value)).toEqual([{ state: 'QUEUED' }]);
});

test('the statement names the receipt of the reversal: the same amount closes the review, another amount opens one about the difference', async () => {
  const same = await wholeReversal();
  const read = async ({ till, receipt }: typeof same, back: string, amount: number, extra = '') => {
    const lines = [payment(receipt, 5000), reversal(back, amount, receipt), ...(extra === '' ? [] : [payment(extra, 1)])];
    const { run } = await reconcile({ accountId: till.id, file: csv(...lines), period: today() });
    return (await linesOf(run.id)).find(({ transactionId }) => transactionId === back);
  };
  expect(await read(same, uniqueId('R'), 5000)).toMatchObject({ finding: 'matched', action: 'none', paymentId: same.reversalId });
  expect(await same.reviews()).toMatchObject([{ kind: 'reversal_assumed', resolvedBy: 'gateway' }]);

  const other = await wholeReversal();
  const back = uniqueId('R');
  const differs = { finding: 'amount_differs', ledgerAmount: 500_000n, statementAmount: 100_000n, paymentId: other.reversalId };
  expect(await read(other, back, 1000)).toMatchObject({ ...differs, action: 'opened_review' });
  expect(await other.reviews()).toMatchObject([
    { kind: 'reversal_assumed', resolvedBy: 'gateway' },
    { kind: 'statement_differs', resolvedAt: null, data: { statementAmount: '100000', ledgerAmount: '500000', transactionId: back } },
  ]);
  expect(await read(other, back, 1000, uniqueId('X'))).toMatchObject({ ...differs, action: 'none' });
  const entries = await rows('SELECT amount FROM payment WHERE reverses_id IS NOT NULL AND provider_account_id = $1', other.till.id);
  expect(entries).toEqual([{ amount: 500_000n }]);
});

test('of several reversals of one payment in a statement, the one with the same amount names the receipt', async () => {
  const till = await makeTill();
  const [receipt, first, second] = [uniqueId('T'), uniqueId('R'), uniqueId('R')];
  const attempt = await paidAttempt(till, receipt);
  const account = { id: till.id, environment: 'sandbox' } as const;
  await bookReversal(runtime(), { account, transactionId: receipt, amount: 100_000n, reversalTransactionId: null, source: 'status' });
  const lines = [payment(receipt, 5000), reversal(first, 2000, receipt), reversal(second, 1000, receipt)];
  const { run } = await reconcile({ accountId: till.id, file: csv(...lines), period: today() });
  expect((await linesOf(run.id)).map(({ finding, action }) => `${finding} ${action}`)).toEqual([
    'matched none',
    'theirs_only booked_reversal',
    'matched none',
  ]);
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 200_000n });
});

test('a callback with the receipt and another amount is a contradiction', async () => {
  const { till, receipt, attempt, reversalId, reviews } = await wholeReversal();
  const reversed = { kind: 'reversed', transactionId: receipt, amount: 500_000n, reversed: 100_000n } as const;
  const reversalTransactionId = uniqueId('R');
  await report(till, attempt, { ...reversed, reversalTransactionId });
  await report(till, attempt, { ...reversed, reversalTransactionId });
  expect(await reviews()).toMatchObject([
    { kind: 'reversal_assumed', resolvedBy: 'gateway' },
    { kind: 'contradiction', paymentId: reversalId, resolvedAt: null, data: { amount: '100000', ledgerAmount: '500000' } },
  ]);
  expect(await billOf(till, attempt)).toMatchObject({ paidAmount: 0n });
});

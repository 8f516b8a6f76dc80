import { expect, test } from 'vitest';
import { readBalance } from '@/lib/gateway/ledger/balance-store';
import { findPayment } from '@/lib/gateway/ledger/payment-store';
import { listReviews } from '@/lib/gateway/reviews/store';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { testReconciling, uniqueId } from '@/testing/data/reconciling';
import { testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const tools = testReconciling(runtime);

test('a reversal of an unknown payment is booked when a later statement contains the payment', async () => {
  const till = await tools.makeTill();
  const [paid, back] = [uniqueId('T'), uniqueId('R')];
  const read = (...lines: string[]) => tools.reconcile({ accountId: till.id, period: tools.today(), file: tools.csv(...lines) });
  const first = await read(tools.reversal(back, 5000, paid));
  expect(await tools.linesOf(first.run.id)).toMatchObject([{ finding: 'theirs_only', action: 'none', paymentId: null }]);
  await read(tools.payment(paid, 5000));
  const payment = await findPayment(runtime().db, till.id, paid);
  if (!payment) throw new Error('the payment was not stored');
  expect(await readBalance(runtime().db, payment)).toMatchObject({ kept: 0n, reversals: [{ transactionId: back, amount: 500_000n }] });
  expect(await tools.linesOf(first.run.id)).toMatchObject([{ finding: 'theirs_only', action: 'booked_reversal' }]);
});

test('two statements with different amounts of one payment create one review, and each line records its action', async () => {
  const till = await tools.makeTill();
  const paid = uniqueId('T');
  await tools.paidAttempt(till, paid);
  const read = async (...amounts: number[]) => {
    const other = tools.payment(uniqueId('OTHER'), 1);
    const file = tools.csv(other, ...amounts.map((amount) => tools.payment(paid, amount)));
    const { run } = await tools.reconcile({ accountId: till.id, period: tools.today(), file });
    return (await tools.linesOf(run.id)).filter(({ transactionId }) => transactionId === paid);
  };
  expect(await read(4000)).toMatchObject([{ finding: 'amount_differs', action: 'opened_review' }]);
  expect(await read(3000)).toMatchObject([{ finding: 'amount_differs', action: 'added_to_review' }]);
  expect(await read(4000)).toMatchObject([{ finding: 'amount_differs', action: 'none' }]);
  expect(await read(3000)).toMatchObject([{ finding: 'amount_differs', action: 'none' }]);
  const payment = await findPayment(runtime().db, till.id, paid);
  const about = (await listReviews(runtime().db, { all: true })).filter(({ paymentId }) => paymentId === payment?.id);
  expect(about).toMatchObject([{ data: { statementAmount: '400000', more: [{ statementAmount: '300000' }] } }]);
});

test('a ledger entry that statements lack opens one review', async () => {
  const till = await tools.makeTill();
  const paid = uniqueId('T');
  await tools.paidAttempt(till, paid);
  const read = (other: string) => tools.reconcile({ accountId: till.id, period: tools.today(), file: tools.csv(tools.payment(other, 1)) });
  await read(uniqueId('OTHER'));
  await read(uniqueId('OTHER'));
  const payment = await findPayment(runtime().db, till.id, paid);
  const about = (await listReviews(runtime().db, { all: true })).filter(({ paymentId }) => paymentId === payment?.id);
  expect(about).toMatchObject([
    { kind: 'statement_differs', data: { transactionId: paid, statementAmount: null, ledgerAmount: '500000' } },
  ]);
});

test('a later statement that has a missing payment closes its review, and one with another amount does not', async () => {
  const till = await tools.makeTill();
  const [late, differs, outside] = [uniqueId('T'), uniqueId('T'), uniqueId('T')];
  for (const id of [late, differs, outside]) await tools.paidAttempt(till, id);
  const midnight = addMs(runtime().clock(), -MINUTE_MS);
  const [dayBefore, day] = [
    { from: addMs(midnight, -DAY_MS), to: midnight },
    { from: midnight, to: addMs(midnight, DAY_MS) },
  ];
  await tools.reconcile({ accountId: till.id, period: day, file: tools.csv() });
  for (const id of [late, differs, outside]) expect(await tools.reviewsOf(id)).toMatchObject([{ kind: 'statement_differs', open: true }]);
  // The provider has the payments two minutes before midnight. Bili recorded them after midnight.
  const at = addMs(midnight, -2 * MINUTE_MS).toISOString();
  const file = tools.csv(
    tools.payment(late, 5000, '', at),
    tools.payment(differs, 4000, '', at),
    tools.payment(outside, 4000, '', midnight.toISOString()),
  );
  await tools.reconcile({ accountId: till.id, period: dayBefore, file });
  expect(await tools.reviewsOf(late)).toMatchObject([{ open: false }]);
  for (const id of [differs, outside]) expect(await tools.reviewsOf(id)).toMatchObject([{ open: true }]);
});

test('a run that was interrupted does not count as a statement that contains a payment', async () => {
  const till = await tools.makeTill();
  const paid = uniqueId('T');
  await tools.paidAttempt(till, paid);
  const interrupted = await tools.reconcile({ accountId: till.id, period: tools.today(), file: tools.csv(tools.payment(paid, 5000)) });
  await tools.rows('UPDATE reconciliation SET completed_at = NULL WHERE id = $1', interrupted.run.id);
  const { run } = await tools.reconcile({ accountId: till.id, period: tools.today(), file: tools.csv() });
  expect(await tools.linesOf(run.id)).toMatchObject([{ finding: 'ours_only', transactionId: paid }]);
});

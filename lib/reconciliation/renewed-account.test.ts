import { expect, test } from 'vitest';
import { settleAttempt } from '@/lib/payments/attempts/settle-attempt';
import { findAttemptByReference } from '@/lib/payments/store';
import { createRegistry } from '@/lib/providers/registry';
import { testReconciling, uniqueId } from '@/lib/testing/data/reconciling';
import { TEST_OPERATOR, testRuntime } from '@/lib/testing/runtime';

const runtime = testRuntime();
const tools = testReconciling(runtime);
const booked = (receipt: string) => tools.rows("SELECT 1 FROM payment WHERE provider_transaction_id = $1 AND kind = 'payment'", receipt);

async function renewal() {
  const old = await tools.makeTill();
  const renewed = await tools.makeTill(old.merchant);
  const attempt = await tools.unknownAttempt(old);
  const receipt = uniqueId('T');
  // The statement does not contain our reference.
  await tools.reconcile({ accountId: renewed.id, period: tools.today(), file: tools.csv(tools.payment(receipt, 5000)) });
  expect(await booked(receipt)).toHaveLength(1);
  return { old, renewed, attempt, receipt };
}

test('an unmatched payment in a statement of the new account settles the attempt of the old one when the provider confirms it', async () => {
  const { old, attempt, receipt } = await renewal();
  await tools.report(old, attempt, { kind: 'paid', transactionId: receipt, amount: 500_000n });
  expect(await booked(receipt)).toHaveLength(1);
  expect(await tools.billOf(old, attempt)).toMatchObject({ paidAmount: 500_000n });
});

test('an unmatched payment in a statement of the new account settles the attempt of the old one when a later statement names it', async () => {
  const { old, renewed, attempt, receipt } = await renewal();
  const named = tools.csv(tools.payment(receipt, 5000, attempt.ourReference));
  await tools.reconcile({ accountId: renewed.id, period: tools.today(), file: named });
  expect(await booked(receipt)).toHaveLength(1);
  expect(await tools.billOf(old, attempt)).toMatchObject({ paidAmount: 500_000n });
});

test('a statement of the new account also reports missing payments of the old one', async () => {
  const old = await tools.makeTill();
  const renewed = await tools.makeTill(old.merchant);
  const receipt = uniqueId('T');
  await tools.paidAttempt(old, receipt);
  const { run } = await tools.reconcile({ accountId: renewed.id, period: tools.today(), file: tools.csv() });
  expect(await tools.linesOf(run.id)).toMatchObject([{ finding: 'ours_only', transactionId: receipt }]);
});

test('a callback at the address of the new account finds attempts of the old one, but not of other owners', async () => {
  const { old, renewed, attempt } = await renewal();
  const stranger = await tools.makeTill();
  const find = (id: string) => findAttemptByReference(runtime().db, id, { reference: attempt.ourReference, providerReference: null });
  expect((await find(renewed.id))?.id).toBe(attempt.id);
  expect((await find(old.id))?.id).toBe(attempt.id);
  expect(await find(stranger.id)).toBeUndefined();
});

test('an operator gets an error when the receipt for settling an attempt belongs to another payment', async () => {
  const till = await tools.makeTill();
  const receipt = uniqueId('T');
  await tools.paidAttempt(till, receipt);
  const second = await tools.unknownAttempt(till);
  const providers = createRegistry(runtime(), null);
  const outcome = { kind: 'paid', transactionId: receipt, amount: 500_000n } as const;
  const told = { attemptId: second.id, outcome, reason: 'ticket', actor: TEST_OPERATOR };
  expect(await settleAttempt({ ...runtime(), providers }, told)).toEqual({ ok: false, error: 'receipt_taken' });
  expect(await tools.stateOf(second)).toBe('UNKNOWN');
});

import { describe, expect, test } from 'vitest';
import { settleAttempt } from '@/lib/gateway/attempts/settle-attempt';
import { findAttemptByReference } from '@/lib/gateway/payments/store';
import { newId } from '@/lib/platform/core/ids';
import { encryptCredentials } from '@/lib/providers/accounts/account-store';
import { startMixxSimulator } from '@/lib/providers/mixx/simulator';
import { createRegistry } from '@/lib/providers/registry';
import { type Till, testReconciling, uniqueId } from '@/testing/data/reconciling';
import { TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';

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

describe('a statement does not report payments as missing', () => {
  async function missing(one: Till, other: Till) {
    await tools.keep(one, uniqueId('T'));
    const { run } = await tools.reconcile({ accountId: other.id, period: tools.today(), file: tools.csv() });
    return tools.linesOf(run.id);
  }

  test('of an account of the same owner that serves other networks', async () => {
    const vodacom = await tools.makeTill(undefined, { networks: ['vodacom', 'halotel'] });
    const airtel = await tools.makeTill(vodacom.merchant, { networks: ['airtel'] });
    expect(await missing(vodacom, airtel)).toEqual([]);
    const renewed = await tools.makeTill(vodacom.merchant, { networks: ['vodacom'] });
    expect(await missing(vodacom, renewed)).toMatchObject([{ finding: 'ours_only' }, { finding: 'ours_only' }]);
  });

  test('of an account with another business number', async () => {
    const simulator = await startMixxSimulator(runtime());
    try {
      const made = async (billerMsisdn: string, merchant?: TestMerchant) => {
        const id = newId(runtime());
        const encryptedCredentials = encryptCredentials(runtime(), id, JSON.stringify({ ...simulator.credentials, billerMsisdn }));
        return tools.makeTill(merchant, { id, provider: 'mixx', networks: ['yas'], encryptedCredentials });
      };
      const old = await made('255712345678');
      const changed = await made('255712345679', old.merchant);
      const renewed = await made('255712345678', old.merchant);
      expect(await missing(old, changed)).toEqual([]);
      expect(await missing(old, renewed)).toMatchObject([{ finding: 'ours_only' }, { finding: 'ours_only' }]);
    } finally {
      await simulator.stop();
    }
  });
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

import { describe, expect, test } from 'vitest';
import { allocatePayment } from '@/lib/gateway/ledger/allocate-payment';
import { correctPayment, movePayment } from '@/lib/gateway/ledger/correct-payment';
import { type KeyAccess, keyAccess } from '@/lib/identity/accounts/access/grant-access';
import { KEY_SCOPES, type KeyScope, USUAL_KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { joinAs } from '@/testing/data/access';
import { testRefunds } from '@/testing/data/refunding';
import { makeBill, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { askRefundOfBill, requestReversal } from './ask-refund';
import { showRefund } from './list-refunds';

// The concurrent calls use separate connections to PostgreSQL.
const runtime = testRuntime({ DATABASE_POOL_SIZE: '20' });
const tools = testRefunds(runtime);
const { owner, admin, pay, ask, asked, refund, balance, bill, breaches, work } = tools;

describe('a refund', () => {
  test('of a whole payment goes back by a reversal of the provider, and the bill is unpaid again', async () => {
    const { payment, billId } = await pay('reversal');
    const id = await asked(await owner(), payment);
    expect(await refund(id)).toMatchObject({ state: 'QUEUED', way: 'reversal', amount: 500_000n, whole: true, billId: null });
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID' });
    await work();
    expect(await refund(id)).toMatchObject({ state: 'DONE' });
    expect(await bill(billId)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await balance(payment)).toMatchObject({ kept: 0n, left: 0n, reversals: [{ amount: 500_000n }], refunds: [] });
    expect(await ask(await owner(), payment)).toEqual({ ok: false, error: 'nothing_to_refund' });
    expect(await breaches()).toEqual([]);
  });

  test('of a part leaves the rest, which can go back later', async () => {
    const { payment, billId } = await pay('payout');
    const access = await owner();
    expect(await refund(await asked(access, payment, { amount: 200_000n }))).toMatchObject({ way: 'payout', whole: false });
    await work();
    expect(await bill(billId)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 300_000n });
    expect(await ask(access, payment, { amount: 300_001n })).toEqual({ ok: false, error: 'refund_more_than_left' });
    expect(await ask(access, payment, { amount: 0n })).toEqual({ ok: false, error: 'refund_more_than_left' });
    expect(await refund(await asked(access, payment))).toMatchObject({ amount: 300_000n, whole: false });
    await work();
    expect(await balance(payment)).toMatchObject({ kept: 500_000n, left: 0n, refunded: 500_000n, allocated: [] });
    expect(await bill(billId)).toMatchObject({ status: 'NOT_PAID' });
    expect(await breaches()).toEqual([]);
  });

  test('of one bill among several of a payment changes no other bill', async () => {
    const { payment, first, second } = await tools.payTwoBills();
    const access = await owner();
    expect(await ask(access, payment, { of: { billId: first }, amount: 200_001n })).toMatchObject({ error: 'refund_more_than_left' });
    expect(await ask(access, payment, { of: { billId: crypto.randomUUID() } })).toMatchObject({ error: 'nothing_to_refund' });
    expect(await refund(await asked(access, payment, { of: { billId: first } }))).toMatchObject({ amount: 200_000n, billId: first });
    await work();
    expect(await bill(first)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await bill(second)).toMatchObject({ paidAmount: 200_000n });
    expect(await balance(payment)).toMatchObject({ unmatched: 100_000n, left: 300_000n });
    expect(await breaches()).toEqual([]);
  });

  test('of unmatched money changes no bill', async () => {
    const { payment, first, second } = await tools.payTwoBills();
    const access = await owner();
    expect(await ask(access, payment, { of: 'unmatched', amount: 100_001n })).toMatchObject({ error: 'refund_more_than_left' });
    expect(await refund(await asked(access, payment, { of: 'unmatched', byHand: true }))).toMatchObject({ amount: 100_000n, way: 'hand' });
    await work();
    expect(await balance(payment)).toMatchObject({ unmatched: 100_000n });
    for (const id of [first, second]) expect(await bill(id)).toMatchObject({ paidAmount: 200_000n });
  });

  test('goes back by hand if the provider cannot give it back', async () => {
    const { payment } = await pay('payout');
    const access = await owner();
    // Less than the provider pays out.
    expect(await refund(await asked(access, payment, { amount: 100n }))).toMatchObject({ way: 'hand', state: 'APPROVED' });
    const other = await pay('reversal');
    // Providers move whole shillings.
    expect(await refund(await asked(access, other.payment, { amount: 150n }))).toMatchObject({ way: 'hand' });
    const chosen = await pay('reversal');
    expect(await refund(await asked(access, chosen.payment, { byHand: true }))).toMatchObject({ way: 'hand' });
  });

  test('is asked for once if many ask at the same time', async () => {
    const { payment } = await pay('payout');
    const access = await owner();
    const all = await Promise.all(Array.from({ length: 10 }, () => ask(access, payment, { amount: 300_000n })));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(all.filter((one) => !one.ok && one.error === 'refund_open')).toHaveLength(9);
    await work();
    const rest = await Promise.all(Array.from({ length: 10 }, () => ask(access, payment, { amount: 300_000n })));
    expect(new Set(rest.map((one) => (one.ok ? null : one.error)))).toEqual(new Set(['refund_more_than_left']));
    expect(tools.world().provider.complaints).toEqual([]);
  });

  test('keeps its payment from being allocated, moved, corrected or reversed while it is open', async () => {
    const { payment, first } = await tools.payTwoBills();
    await asked(await owner(), payment, { of: { billId: first } });
    const word = { reason: 'his order', actor: TEST_OPERATOR };
    const gateway = tools.gateway();
    const target = { paymentId: payment.id, billId: await makeBill(gateway, tools.merchant()), ...word };
    const open = { ok: false, error: 'refund_open' };
    expect(await allocatePayment(gateway, { ...target, amount: null })).toEqual(open);
    expect(await movePayment(gateway, { ...target, reviewId: null })).toEqual(open);
    expect(await correctPayment(gateway, { entryId: payment.id, to: 100n, reviewId: null, ...word })).toEqual(open);
    expect(await requestReversal(gateway, { paymentId: payment.id, amount: null, ...word })).toEqual(open);
  });
});

describe('above the limit', () => {
  const setLimit = (limit: bigint) => runtime().db.query({ text: 'UPDATE merchant_profile SET refund_limit = $1' }, [limit]);

  test('a refund waits for a second person', async () => {
    const { payment } = await pay('reversal');
    await setLimit(499_999n);
    const [access] = [await owner(), await admin()];
    const id = await asked(access, payment);
    expect(await refund(id)).toMatchObject({ state: 'ASKED', way: 'reversal' });
    await work();
    expect(await refund(id)).toMatchObject({ state: 'ASKED', sendCount: 0 });
    expect(await breaches()).toEqual([]);
  });

  test('the limit itself needs no second person, and a merchant with one person has no limit', async () => {
    await setLimit(500_000n);
    const first = await pay('reversal');
    await joinAs(runtime(), tools.merchant(), 'viewer');
    expect(await refund(await asked(await owner(), first.payment))).toMatchObject({ state: 'QUEUED' });
    await setLimit(0n);
    const second = await pay('reversal');
    expect(await refund(await asked(await owner(), second.payment))).toMatchObject({ state: 'QUEUED' });
  });
});

describe('who may ask', () => {
  test('only owners and admins, and only after a recent proof of their identity', async () => {
    const { payment } = await pay('payout');
    for (const role of ['viewer', 'collector'] as const)
      expect(await ask(await joinAs(runtime(), tools.merchant(), role), payment)).toEqual({ ok: false, error: 'not_allowed' });
    const access = await owner();
    const late = { ...access, provenAt: addMs(access.provenAt, -HOUR_MS) };
    expect(await ask(late, payment)).toEqual({ ok: false, error: 'not_proven' });
    expect(await refund(await asked(await admin(), payment))).toMatchObject({ state: 'QUEUED' });
  });

  test('only the merchant of the payment, who alone sees the refund', async () => {
    const { payment } = await pay('payout');
    expect(await ask(await owner(1), payment)).toEqual({ ok: false, error: 'payment_not_found' });
    expect(await ask(await owner(), { id: 'nonsense' })).toEqual({ ok: false, error: 'payment_not_found' });
    const id = await asked(await owner(), payment);
    expect(await showRefund(tools.gateway(), await owner(), id)).toMatchObject({ id, paymentId: payment.id });
    expect(await showRefund(tools.gateway(), await owner(1), id)).toBeUndefined();
    const live = { ...(await owner()), scope: tools.merchant().scope('live') };
    expect(await showRefund(tools.gateway(), live, id)).toBeUndefined();
  });
});

describe('through the API', () => {
  const key = (scopes: readonly KeyScope[] = ['refund'], index = 0): KeyAccess =>
    keyAccess({ id: crypto.randomUUID(), scopes }, tools.merchant(index).scope('sandbox'));
  const request = (billId: string, changes: object = {}) => ({
    billId,
    paymentId: null,
    amount: null,
    reason: 'wrong size',
    idempotencyKey: 'order-1',
    ...changes,
  });
  const askOf = (billId: string, changes: object = {}, access = key()) =>
    askRefundOfBill(tools.gateway(), access, request(billId, changes));

  test('a key needs the scope, and only for bills of its merchant', async () => {
    const { billId } = await pay('payout');
    expect(await askOf(billId, {}, key(USUAL_KEY_SCOPES))).toEqual({ ok: false, error: { code: 'not_allowed' } });
    expect(await askOf(billId, {}, key(KEY_SCOPES, 1))).toEqual({ ok: false, error: { code: 'bill_not_found' } });
    expect(await askOf('nonsense')).toEqual({ ok: false, error: { code: 'bill_not_found' } });
    expect(await askOf(billId)).toMatchObject({ ok: true });
  });

  test('a repetition returns the same refund in its present state, and another body is refused', async () => {
    const { billId } = await pay('payout');
    const first = await askOf(billId);
    if (!first.ok) throw new Error(first.error.code);
    const { id } = first.value;
    expect(first.value.replayed).toBe(false);
    expect(await askOf(billId)).toEqual({ ok: true, value: { id, replayed: true } });
    await work();
    expect(await askOf(billId)).toEqual({ ok: true, value: { id, replayed: true } });
    expect(await refund(id)).toMatchObject({ state: 'DONE' });
    const reused = { ok: false, error: { code: 'idempotency_key_reused' } };
    for (const changes of [{ reason: 'another' }, { amount: 100_000n }, { paymentId: crypto.randomUUID() }])
      expect(await askOf(billId, changes)).toEqual(reused);
    expect(await askOf((await pay('payout')).billId)).toEqual(reused);
    expect(await askOf(billId, { idempotencyKey: 'order-2' })).toMatchObject({ error: { code: 'nothing_to_refund' } });
    const other = await pay('payout', 1);
    expect(await askOf(other.billId, {}, key(['refund'], 1))).toMatchObject({ ok: true, value: { replayed: false } });
  });

  test('of the same request many times at once, one makes a refund and the others return it', async () => {
    const { billId } = await pay('payout');
    const all = await Promise.all(Array.from({ length: 10 }, () => askOf(billId)));
    const ids = new Set(all.map((one) => (one.ok ? one.value.id : one.error.code)));
    expect(ids.size).toBe(1);
    expect(await runtime().db.query({ text: 'SELECT id FROM refund' })).toHaveLength(1);
  });

  test('one key for two bills at once makes one refund', async () => {
    const bills = [await pay('payout'), await pay('payout')];
    const all = await Promise.all(bills.map(({ billId }) => askOf(billId)));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(all.flatMap((one) => (one.ok ? [] : [one.error]))).toEqual([{ code: 'idempotency_key_reused' }]);
  });

  test('a bill with several payments needs the id of one, and the failure names them', async () => {
    const { billId, payment } = await pay('reversal');
    const again = await tools.payAgain(billId);
    const share = { paymentId: again.id, billId, amount: 300_000n, reason: 'paid twice', actor: TEST_OPERATOR };
    expect(await allocatePayment(tools.gateway(), share)).toMatchObject({ ok: true });
    const unclear = await askOf(billId);
    if (unclear.ok || unclear.error.code !== 'refund_payment_unclear') throw new Error('the payment was clear');
    expect(unclear.error.detail.split(', ').toSorted()).toEqual([payment.id, again.id].toSorted());
    const named = await askOf(billId, { paymentId: again.id });
    if (!named.ok) throw new Error(named.error.code);
    // Only what the bill has of the payment.
    expect(await refund(named.value.id)).toMatchObject({ paymentId: again.id, amount: 300_000n, billId });
    expect(await askOf(billId, { paymentId: crypto.randomUUID(), idempotencyKey: 'x' })).toMatchObject({
      error: { code: 'payment_not_found' },
    });
    const unpaid = await makeBill(tools.gateway(), tools.merchant());
    expect(await askOf(unpaid, { idempotencyKey: 'y' })).toMatchObject({ error: { code: 'nothing_to_refund' } });
  });

  test('a key is one person: a refund above the limit waits even if it comes from a key', async () => {
    const { billId } = await pay('payout');
    await admin();
    await runtime().db.query({ text: 'UPDATE merchant_profile SET refund_limit = 0' });
    const asked = await askOf(billId);
    if (!asked.ok) throw new Error(asked.error.code);
    expect(await refund(asked.value.id)).toMatchObject({ state: 'ASKED' });
  });
});

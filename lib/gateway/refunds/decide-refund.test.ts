import { describe, expect, test } from 'vitest';
import { bookReversal } from '@/lib/gateway/ledger/book-reversal';
import { correctPayment } from '@/lib/gateway/ledger/correct-payment';
import type { LedgerPayment } from '@/lib/gateway/ledger/payment-store';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { operatorActor, userActor } from '@/lib/platform/core/actor';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { joinAs } from '@/testing/data/access';
import { testRefunds } from '@/testing/data/refunding';
import { TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { requestReversal } from './ask-refund';
import { approveRefund, returnRefund, settleRefund, stopRefund } from './decide-refund';
import { listRefundsOfBill } from './list-refunds';

// The concurrent calls use separate connections to PostgreSQL.
const runtime = testRuntime({ DATABASE_POOL_SIZE: '20' });
const tools = testRefunds(runtime);
const { owner, admin, pay, ask, asked, refund, balance, bill, breaches, reviews, work } = tools;

const done = { ok: true, value: null };
const changed = { ok: false, error: 'refund_state_changed' };

/** Creates a refund that waits for a second person. */
async function waiting(options: Parameters<typeof ask>[2] = {}) {
  const paid = await pay('payout');
  await runtime().db.query({ text: 'UPDATE merchant_profile SET refund_limit = 0' });
  const [first, second] = [await owner(), await admin()];
  return { ...paid, first, second, id: await asked(first, paid.payment, options) };
}

/** Creates a refund that a person must return by hand. */
async function byHand(amount: bigint | null = null) {
  const paid = await pay('payout');
  const access = await owner();
  return { ...paid, access, id: await asked(access, paid.payment, { byHand: true, amount }) };
}

const returned = { source: 'cash', happenedAt: null } as const;

const reverse = ({ providerAccountId, transactionId }: LedgerPayment, amount: bigint) =>
  bookReversal(tools.gateway(), {
    account: { id: providerAccountId, environment: 'sandbox' },
    transactionId,
    reversalTransactionId: crypto.randomUUID(),
    amount,
    source: 'statement',
  });

describe('a refund above the limit', () => {
  test('is approved by a second person, not by the one who asked for it, and then sent', async () => {
    const { first, second, id, billId } = await waiting();
    expect(await approveRefund(tools.gateway(), first, id)).toEqual({ ok: false, error: 'own_refund' });
    const renamed = { ...first, actor: userActor({ email: 'another@example.com' }, null) };
    expect(await approveRefund(tools.gateway(), renamed, id)).toEqual({ ok: false, error: 'own_refund' });
    expect(await approveRefund(tools.gateway(), second, id)).toEqual(done);
    expect(await refund(id)).toMatchObject({ state: 'QUEUED' });
    expect(await approveRefund(tools.gateway(), second, id)).toEqual(changed);
    await work();
    expect(await refund(id)).toMatchObject({ state: 'DONE' });
    expect(await bill(billId)).toMatchObject({ status: 'NOT_PAID' });
    const [view] = await listRefundsOfBill(runtime().db, tools.merchant().scope('sandbox'), billId);
    expect(view).toMatchObject({ id, requestedBy: first.actor.name, decidedBy: second.actor.name, receipt: expect.any(String) });
    expect(await breaches()).toEqual([]);
  });

  test('that an operator asked for is not approved by the same operator', async () => {
    const { second } = await waiting();
    const { payment } = await tools.pay('reversal');
    const scope = tools.merchant().scope('sandbox');
    const operator = operatorAccess(operatorActor('Asha'), scope);
    const id = await tools.asked(operator, payment);
    expect(await refund(id)).toMatchObject({ state: 'ASKED', requestedById: null });
    expect(await approveRefund(tools.gateway(), operator, id)).toEqual({ ok: false, error: 'own_refund' });
    expect(await approveRefund(tools.gateway(), second, id)).toEqual(done);
  });

  test('waits for the person who returns it, if it goes back by hand', async () => {
    const { second, id } = await waiting({ byHand: true });
    expect(await returnRefund(tools.gateway(), second, { id, ...returned })).toEqual(changed);
    expect(await approveRefund(tools.gateway(), second, id)).toEqual(done);
    expect(await refund(id)).toMatchObject({ state: 'APPROVED' });
  });

  test('is declined by a second person, or cancelled by the one who asked for it', async () => {
    const one = await waiting();
    expect(await stopRefund(tools.gateway(), one.second, one.id)).toEqual(done);
    expect(await refund(one.id)).toMatchObject({ state: 'FAILED', failureReason: 'declined' });
    expect(await approveRefund(tools.gateway(), one.second, one.id)).toEqual(changed);
    const again = await asked(one.first, one.payment);
    expect(await stopRefund(tools.gateway(), one.first, again)).toEqual(done);
    expect(await refund(again)).toMatchObject({ state: 'FAILED', failureReason: 'cancelled' });
    expect(await bill(one.billId)).toMatchObject({ status: 'FULLY_PAID' });
    expect(await breaches()).toEqual([]);
  });

  test('is decided once if one person approves it while another declines it', async () => {
    const { first, second, id } = await waiting();
    const gateway = tools.gateway();
    const all = await Promise.all([approveRefund(gateway, second, id), stopRefund(gateway, first, id), approveRefund(gateway, second, id)]);
    // A refund that was approved and not sent yet may still be stopped.
    expect(['QUEUED', 'FAILED']).toContain((await refund(id)).state);
    expect(all.filter(({ ok }) => ok).length).toBeLessThanOrEqual(2);
    await work();
    expect(await breaches()).toEqual([]);
  });

  test('can be decided only by people of the merchant who may change refunds', async () => {
    const { second, id } = await waiting();
    const gateway = tools.gateway();
    for (const role of ['viewer', 'collector'] as const) {
      const access = await joinAs(runtime(), tools.merchant(), role);
      expect(await approveRefund(gateway, access, id)).toEqual({ ok: false, error: 'not_allowed' });
      expect(await stopRefund(gateway, access, id)).toEqual({ ok: false, error: 'not_allowed' });
      expect(await returnRefund(gateway, access, { id, ...returned })).toEqual({ ok: false, error: 'not_allowed' });
    }
    const late = { ...second, provenAt: addMs(second.provenAt, -HOUR_MS) };
    expect(await approveRefund(gateway, late, id)).toEqual({ ok: false, error: 'not_proven' });
    const stranger = await owner(1);
    for (const name of [id, 'nonsense', crypto.randomUUID()]) {
      expect(await approveRefund(gateway, stranger, name)).toEqual({ ok: false, error: 'not_found' });
      expect(await stopRefund(gateway, stranger, name)).toEqual({ ok: false, error: 'not_found' });
      expect(await returnRefund(gateway, stranger, { id: name, ...returned })).toEqual({ ok: false, error: 'not_found' });
    }
    expect(await refund(id)).toMatchObject({ state: 'ASKED' });
  });
});

describe('a refund that is stopped', () => {
  test('while a worker sends it either stays stopped and is not sent, or is sent and not stopped', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { payment } = await pay('payout');
      const access = await owner();
      const id = await asked(access, payment);
      const [stopped] = await Promise.all([stopRefund(tools.gateway(), access, id), work()]);
      const { our_reference: reference } = await row(id);
      const sent = tools.world().provider.refundRequests.has(reference);
      expect(sent).toBe(!stopped.ok);
      expect(await refund(id)).toMatchObject({ state: stopped.ok ? 'FAILED' : 'DONE' });
    }
    expect(await breaches()).toEqual([]);
  });

  test('is not one that was sent', async () => {
    const { payment } = await pay('payout');
    const access = await owner();
    const id = await asked(access, payment);
    await work('answer_lost');
    expect(await refund(id)).toMatchObject({ state: 'UNKNOWN' });
    expect(await stopRefund(tools.gateway(), access, id)).toEqual(changed);
  });

  async function row(id: string) {
    const [found] = await runtime().db.query<{ our_reference: string }>({ text: 'SELECT our_reference FROM refund WHERE id = $1' }, [id]);
    if (!found) throw new Error('the refund is not stored');
    return found;
  }
});

describe('a refund by hand', () => {
  test('is booked from the account for money by hand when a person has returned it, once also if two click at once', async () => {
    const { access, id, billId, payment } = await byHand(200_000n);
    await work();
    expect(await refund(id)).toMatchObject({ state: 'APPROVED' });
    const happenedAt = addMs(tools.world().runtime.clock(), -DAY_MS);
    const all = await Promise.all(
      Array.from({ length: 5 }, () => returnRefund(tools.gateway(), access, { id, source: 'bank', happenedAt })),
    );
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(all.filter((one) => !one.ok && one.error === 'refund_state_changed')).toHaveLength(4);
    expect(await bill(billId)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 300_000n });
    expect(await balance(payment)).toMatchObject({ left: 300_000n, refunds: [{ kind: 'refund', amount: 200_000n }] });
    const entries = await runtime().db.query({
      text: `SELECT a.provider, a.disabled_at IS NOT NULL AS disabled, p.source, p.amount, p.happened_at
             FROM payment p JOIN provider_account a ON a.id = p.provider_account_id WHERE p.kind = 'refund'`,
    });
    expect(entries).toEqual([{ provider: 'hand', disabled: true, source: 'bank', amount: 200_000n, happened_at: happenedAt }]);
    const [view] = await listRefundsOfBill(runtime().db, tools.merchant().scope('sandbox'), billId);
    expect(view).toMatchObject({ state: 'DONE', source: 'bank', happenedAt, decidedBy: access.actor.name });
    expect(await breaches()).toEqual([]);
  });

  test('uses one account for each merchant, also if the first refunds are at once', async () => {
    const refunds = [await byHand(), await byHand(), await byHand()];
    const all = await Promise.all(refunds.map(({ access, id }) => returnRefund(tools.gateway(), access, { id, ...returned })));
    expect(all).toEqual([done, done, done]);
    expect(await runtime().db.query({ text: "SELECT DISTINCT provider_account_id FROM payment WHERE source = 'cash'" })).toHaveLength(1);
    expect(await breaches()).toEqual([]);
  });

  test('is refused if the provider has taken the payment back meanwhile, with another amount', async () => {
    const { access, id, payment } = await byHand(400_000n);
    expect(await reverse(payment, 200_000n)).toBe('booked');
    expect(await refund(id)).toMatchObject({ state: 'APPROVED' });
    expect(await returnRefund(tools.gateway(), access, { id, ...returned })).toEqual({ ok: false, error: 'refund_more_than_left' });
    expect(await stopRefund(tools.gateway(), access, id)).toEqual(done);
    expect(await breaches()).toEqual([]);
  });
});

describe('a provider that reverses a payment by itself', () => {
  test('settles a refund of the same amount that was not sent yet', async () => {
    const one = await byHand();
    expect(await reverse(one.payment, 500_000n)).toBe('booked');
    expect(await refund(one.id)).toMatchObject({ state: 'DONE', way: 'reversal' });
    expect(await returnRefund(tools.gateway(), one.access, { id: one.id, ...returned })).toEqual(changed);
    const { payment, first, second, id } = await waiting();
    expect(await reverse(payment, 500_000n)).toBe('booked');
    expect(await approveRefund(tools.gateway(), second, id)).toEqual(changed);
    expect(await ask(first, payment)).toEqual({ ok: false, error: 'nothing_to_refund' });
    expect(await reviews()).toEqual([]);
    expect(await breaches()).toEqual([]);
  });

  test('leaves a refund of another amount, which is not sent if too little is left', async () => {
    const { payment } = await pay('payout');
    const id = await asked(await owner(), payment, { amount: 400_000n });
    expect(await reverse(payment, 200_000n)).toBe('booked');
    expect(await refund(id)).toMatchObject({ state: 'QUEUED' });
    await work();
    expect(await refund(id)).toMatchObject({ state: 'FAILED', failureReason: 'amount_invalid' });
    expect(tools.world().provider.refundRequests.size).toBe(0);
    expect(await balance(payment)).toMatchObject({ left: 300_000n });
    expect(await breaches()).toEqual([]);
  });

  test('after a refund by hand is booked, and a person is asked', async () => {
    const { access, id, payment, billId } = await byHand();
    expect(await returnRefund(tools.gateway(), access, { id, ...returned })).toEqual(done);
    expect(await reverse(payment, 500_000n)).toBe('booked');
    expect(await balance(payment)).toMatchObject({ kept: 0n, left: 0n, overRefunded: 500_000n });
    expect(await bill(billId)).toMatchObject({ paidAmount: 0n });
    expect(await reviews()).toEqual([{ kind: 'contradiction', outcome: 'refunded_twice' }]);
    expect(await breaches()).toEqual([]);
  });
});

describe('a correction of a refund', () => {
  const correct = (entryId: string, to: bigint) =>
    correctPayment(tools.gateway(), { entryId, to, reason: 'it was less', actor: TEST_OPERATOR, reviewId: null });

  test('gives the money back to the bill, and can be for all of it', async () => {
    const { access, id, payment, billId } = await byHand();
    await returnRefund(tools.gateway(), access, { id, ...returned });
    const [entry] = (await balance(payment)).refunds;
    expect(await correct(entry?.id ?? '', 300_000n)).toMatchObject({ ok: true, value: { bills: [{ billId, amount: 200_000n }] } });
    expect(await bill(billId)).toMatchObject({ status: 'PARTIALLY_PAID', paidAmount: 200_000n, reversedAmount: 300_000n });
    expect(await correct(entry?.id ?? '', 0n)).toMatchObject({ ok: true, value: { bills: [{ billId, amount: 300_000n }] } });
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500_000n, reversedAmount: 0n });
    expect(await balance(payment)).toMatchObject({ left: 500_000n, refunded: 0n });
    expect(await breaches()).toEqual([]);
  });

  test('to more than is left is refused, whatever was reversed', async () => {
    const { access, id, payment } = await byHand(200_000n);
    await returnRefund(tools.gateway(), access, { id, ...returned });
    const [entry] = (await balance(payment)).refunds;
    expect(await correct(entry?.id ?? '', 500_001n)).toEqual({ ok: false, error: 'more_than_left' });
    expect(await reverse(payment, 400_000n)).toBe('booked');
    expect(await correct(entry?.id ?? '', 200_001n)).toEqual({ ok: false, error: 'more_than_left' });
    expect(await correct(entry?.id ?? '', 50_000n)).toMatchObject({ ok: true, value: { bills: [{ amount: 50_000n }] } });
    expect(await breaches()).toEqual([]);
  });

  test('of a payment to less than went back leaves the difference as refunded too much', async () => {
    const { access, id, payment } = await byHand();
    await returnRefund(tools.gateway(), access, { id, ...returned });
    expect(await correct(payment.id, 100_000n)).toMatchObject({ ok: true });
    expect(await balance(payment)).toMatchObject({ received: 100_000n, refunded: 100_000n, overRefunded: 400_000n, left: 0n });
    const [entry] = (await balance(payment)).refunds;
    expect(await correct(entry?.id ?? '', 200_000n)).toMatchObject({ ok: true });
    expect(await balance(payment)).toMatchObject({ refunded: 100_000n, overRefunded: 100_000n });
    expect(await breaches()).toEqual([]);
  });
});

test('an operator settles only refunds that were sent to a provider', async () => {
  const { id } = await byHand();
  const word = { reason: 'ticket 19', actor: TEST_OPERATOR };
  const failed = { kind: 'failed' } as const;
  expect(await settleRefund(tools.gateway(), { id, outcome: failed, ...word })).toEqual({ ok: false, error: 'not_sent' });
  expect(await settleRefund(tools.gateway(), { id: 'nonsense', outcome: failed, ...word })).toEqual({ ok: false, error: 'not_found' });
  const { payment } = await pay('payout');
  expect(await requestReversal(tools.gateway(), { paymentId: payment.id, amount: null, ...word })).toEqual({
    ok: false,
    error: 'not_supported',
  });
});

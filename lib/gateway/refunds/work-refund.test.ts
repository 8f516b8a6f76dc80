import { describe, expect, test } from 'vitest';
import { applyCallback } from '@/lib/gateway/callbacks/receive-callback';
import { bookReversal } from '@/lib/gateway/ledger/book-reversal';
import { claimRefunds } from '@/lib/gateway/refund-states/store';
import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import type { ProviderAdapter } from '@/lib/providers/port/port';
import { testRefunds } from '@/testing/data/refunding';
import { TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { settleRefund } from './decide-refund';
import { listRefundsOfBill } from './list-refunds';
import { workRefund } from './work-refund';

const runtime = testRuntime();
const tools = testRefunds(runtime);
const { owner, pay, asked, refund, balance, bill, breaches, reviews, work } = tools;
const word = { reason: 'ticket 20', actor: TEST_OPERATOR };

/** How the fake provider reacts to a payout; see `receivePayout`. */
const [DONE, LATER, REFUSED, OTHER_AMOUNT, NO_RECEIPT] = [0, 1, 2, 3, 4];

/** Creates a payout of a whole payment that is due. */
async function payout() {
  const paid = await pay('payout');
  return { ...paid, id: await asked(await owner(), paid.payment) };
}

const sent = () => [...tools.world().provider.refundRequests.values()];

/** Queries the status as long as the worker queries it by itself. */
async function queryForDays(days: number): Promise<void> {
  for (let hour = 0; hour < days * 24; hour += 1) {
    tools.world().advance(HOUR_MS);
    await work();
  }
}

describe('a payout', () => {
  test('that the provider has made is booked with its receipt, and the bill loses the money', async () => {
    const { id, payment, billId } = await payout();
    await work('answered', DONE);
    expect(await refund(id)).toMatchObject({ state: 'DONE', sendCount: 1, queryCount: 0 });
    const [view] = await listRefundsOfBill(runtime().db, tools.merchant().scope('sandbox'), billId);
    expect(view).toMatchObject({ receipt: tools.world().provider.transactions.find(({ kind }) => kind === 'payout')?.receipt });
    expect(await balance(payment)).toMatchObject({ kept: 500_000n, refunded: 500_000n, refunds: [{ amount: 500_000n }] });
    expect(await bill(billId)).toMatchObject({ status: 'NOT_PAID', paidAmount: 0n });
    expect(await breaches()).toEqual([]);
  });

  test('without a receipt is booked under our reference', async () => {
    const { id, payment } = await payout();
    await work('answered', NO_RECEIPT);
    const { ourReference } = await refund(id);
    expect((await balance(payment)).refunds).toMatchObject([{ transactionId: ourReference }]);
  });

  test('that is only accepted is queried with the reference of the provider, until it is done', async () => {
    const { id, billId } = await payout();
    await work('answered', LATER);
    const { ourReference } = await refund(id);
    expect(await refund(id)).toMatchObject({ state: 'UNKNOWN', providerReference: `N${ourReference}` });
    await work();
    expect(await refund(id)).toMatchObject({ state: 'UNKNOWN', queryCount: 1 });
    tools.world().provider.completeRefund(ourReference);
    await work('not_sent');
    await work();
    expect(await refund(id)).toMatchObject({ state: 'DONE', sendCount: 1 });
    expect(await bill(billId)).toMatchObject({ status: 'NOT_PAID' });
    expect(await breaches()).toEqual([]);
  });

  test('that the provider refuses fails, changes nothing, and can be asked for again', async () => {
    const { id, payment, billId } = await payout();
    await work('answered', REFUSED);
    expect(await refund(id)).toMatchObject({ state: 'FAILED', failureReason: 'rejected' });
    expect(await bill(billId)).toMatchObject({ status: 'FULLY_PAID' });
    const again = await asked(await owner(), payment);
    await work();
    expect(await refund(again)).toMatchObject({ state: 'DONE' });
    expect(await breaches()).toEqual([]);
  });

  test('that certainly did not arrive is sent again, and then fails', async () => {
    const { id } = await payout();
    await work('not_sent');
    expect(await refund(id)).toMatchObject({ state: 'QUEUED', sendCount: 1 });
    for (let sendings = 0; sendings < 10; sendings += 1) await work('not_sent');
    expect(await refund(id)).toMatchObject({ state: 'FAILED', failureReason: 'provider_unavailable' });
    expect(sent()).toEqual([]);
    expect(await breaches()).toEqual([]);
  });

  test.each(['answer_lost', 'lost', 'unreadable', 'dies_after', 'dies_before'] as const)(
    'whose outcome is unknown (%s) is never sent again, and a person is asked after 72 hours',
    async (fate) => {
      const { id, payment } = await payout();
      await work(fate);
      await queryForDays(4);
      expect(await refund(id)).toMatchObject({ state: 'UNKNOWN', sendCount: 1 });
      expect(tools.world().provider.complaints).toEqual([]);
      expect(await reviews()).toEqual([{ kind: 'refund_unresolved', outcome: null }]);
      expect(await breaches()).toEqual([]);
      const paidOut = sent().find(({ receipt }) => receipt === null)?.state;
      const outcome =
        typeof paidOut === 'object' ? ({ kind: 'refunded', transactionId: paidOut.receipt } as const) : ({ kind: 'failed' } as const);
      expect(await settleRefund(tools.gateway(), { id, outcome, ...word })).toEqual({ ok: true, value: null });
      expect(await settleRefund(tools.gateway(), { id, outcome, ...word })).toEqual({ ok: false, error: 'already_settled' });
      expect(await balance(payment)).toMatchObject({ refunded: outcome.kind === 'refunded' ? 500_000n : 0n });
      expect(await reviews()).toEqual([]);
      expect(await breaches()).toEqual([]);
    },
  );

  test('that two people settle at the same time, with different receipts, is booked once', async () => {
    const { id, payment } = await payout();
    await work('answer_lost', DONE);
    const settle = (transactionId: string) => settleRefund(tools.gateway(), { id, outcome: { kind: 'refunded', transactionId }, ...word });
    const settled = await Promise.all([settle('A1'), settle('A2'), settle('A3')]);
    expect(settled.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await balance(payment)).toMatchObject({ refunds: [{ amount: 500_000n }] });
    expect(await breaches()).toEqual([]);
  });

  test('of another amount is not booked, and a person is asked', async () => {
    const { id, payment } = await payout();
    await work('answered', OTHER_AMOUNT);
    expect(await refund(id)).toMatchObject({ state: 'UNKNOWN' });
    expect(await balance(payment)).toMatchObject({ refunds: [] });
    expect(await reviews()).toEqual([{ kind: 'contradiction', outcome: null }]);
    expect(await breaches()).toEqual([]);
  });

  test('is not sent by a worker that has lost its lease, nor by the one that takes over', async () => {
    const { id } = await payout();
    const world = tools.world();
    const now = world.runtime.clock();
    const [late] = await claimRefunds(world.runtime.db, { now, leaseUntil: addMs(now, MINUTE_MS), limit: 1 });
    if (!late) throw new Error('the refund is not due');
    world.advance(2 * MINUTE_MS);
    await work();
    await workRefund(tools.gateway(), late, new AbortController().signal);
    expect(await refund(id)).toMatchObject({ state: 'UNKNOWN', sendCount: 1 });
    expect(sent()).toEqual([]);
  });

  test('that was made although the provider has reversed the payment meanwhile is booked, and a person is asked', async () => {
    const { id, payment, billId } = await payout();
    await work('answered', LATER);
    const { providerAccountId, transactionId } = payment;
    const account = { id: providerAccountId, environment: 'sandbox' } as const;
    const reversal = { reversalTransactionId: 'BACK', amount: 400_000n, source: 'statement' } as const;
    expect(await bookReversal(tools.gateway(), { account, transactionId, ...reversal })).toBe('booked');
    tools.world().provider.completeRefund((await refund(id)).ourReference);
    await work();
    expect(await refund(id)).toMatchObject({ state: 'DONE' });
    expect(await balance(payment)).toMatchObject({ kept: 100_000n, refunded: 100_000n, overRefunded: 400_000n, allocated: [] });
    expect(await bill(billId)).toMatchObject({ paidAmount: 0n });
    expect(await reviews()).toEqual([{ kind: 'contradiction', outcome: 'refunded_twice' }]);
    expect(await breaches()).toEqual([]);
  });

  test('that the provider reports after a person has settled it as failed is booked', async () => {
    const { id, payment } = await payout();
    await work('hangs_after', DONE);
    expect(await settleRefund(tools.gateway(), { id, outcome: { kind: 'failed' }, ...word })).toEqual({ ok: true, value: null });
    const [call] = tools.world().hanging.splice(0);
    call?.resume();
    await call?.task;
    expect(await refund(id)).toMatchObject({ state: 'DONE', failureReason: null });
    expect(await balance(payment)).toMatchObject({ refunded: 500_000n });
    expect(await breaches()).toEqual([]);
  });

  test('that came back after it was done stays in the ledger, and a person is asked once', async () => {
    const { id } = await payout();
    await work('answered', DONE);
    const { ourReference: reference } = await refund(id);
    const { repeating: account } = tools.world().accounts;
    const reply = { status: 200, body: '', contentType: 'text/plain' };
    const says = (payoutReturned: boolean) => () => ({ reference, verified: true, outcome: null, payoutReturned, reply }) as const;
    const receive = (adapter: ProviderAdapter) =>
      applyCallback(tools.gateway(), { account, adapter, messageId: newId(runtime()), callback: { headers: {}, body: new Uint8Array() } });
    const adapter = tools.gateway().providers.find(account.provider);
    if (!adapter) throw new Error('the account has no adapter');
    await receive({ ...adapter, readCallback: says(false) });
    expect(await reviews()).toEqual([]);
    await receive({ ...adapter, readCallback: says(true) });
    await receive({ ...adapter, readCallback: says(true) });
    expect(await reviews()).toEqual([{ kind: 'contradiction', outcome: null }]);
    expect(await refund(id)).toMatchObject({ state: 'DONE' });
    expect(await breaches()).toEqual([]);
  });
});

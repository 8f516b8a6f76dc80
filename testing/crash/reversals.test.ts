// @module-tag full

import { beforeAll, describe, expect, test } from 'vitest';
import { insertUnmatchedPayment } from '@/lib/gateway/ledger/bookings';
import { makeBill } from '@/testing/runtime';
import { COMMAND_CASES, OUTSIDE_CASES, PAYOUT_DEATHS, REVERSAL_CASES } from './cases';
import { expectAllIsWell, type Movement } from './invariants';
import { drain, killWorker } from './settle';
import { SANDBOX_ACCOUNT, testWorld } from './world';

// The tests start and kill many processes, which takes time on a busy machine.
// Nobody listens at the callback URL, so reversals are found by status queries.
const world = testWorld(0.02);
const payments: string[] = [];
/** Payments that the simulated provider does not know. */
const elsewhere: Movement[] = [];

beforeAll(async () => {
  const { runtime, merchant } = world();
  const cases = REVERSAL_CASES.length + COMMAND_CASES.length + 1;
  for (let made = 0; made < cases; made += 1) await makeBill(runtime, merchant, { mobile: '0712345001' });
  await work();
  const paid = await runtime.db.query<{ id: string }>({ text: "SELECT id FROM payment WHERE kind = 'payment'" });
  payments.push(...paid.map(({ id }) => id));
  expect(payments).toHaveLength(cases);
});

function nextPayment(): string {
  const payment = payments.pop();
  if (payment === undefined) throw new Error('every payment has gone back');
  return payment;
}

/** Runs a worker until nothing is due. */
async function work(): Promise<void> {
  const worker = await world().start('worker');
  await drain(world(), { callbacks: false });
  await worker.kill('SIGTERM');
}

const reverse = (payment: string) => ['payment', 'reverse', payment, '--reason', 'sent twice'];

async function requestsOf(payment: string): Promise<{ id: string; state: string }[]> {
  return world().runtime.db.query({ text: 'SELECT id, state FROM refund WHERE payment_id = $1 ORDER BY id' }, [payment]);
}

async function expectGoneBack(payment: string): Promise<void> {
  const bills = { text: 'SELECT b.status FROM bill b JOIN payment_allocation a ON a.bill_id = b.id WHERE a.payment_id = $1' };
  expect(await world().runtime.db.query(bills, [payment])).toEqual([{ status: 'NOT_PAID' }]);
  await expectAllIsWell(world());
}

/** Settles a reversal as failed, as an operator does after asking the provider's support, and requests it again. */
async function settleByHand(payment: string): Promise<void> {
  const [request] = await requestsOf(payment);
  await world().bili(['payment', 'settle-reversal', request?.id ?? '', '--failed', '--reason', 'ticket 17']);
  await world().bili(reverse(payment));
}

describe('a worker killed', () => {
  test.each(REVERSAL_CASES)('$what', async ({ deaths, ends }) => {
    const { db } = world().runtime;
    const payment = nextPayment();
    await world().bili(reverse(payment));
    for (const death of deaths) {
      if (death === 'refund.given_up')
        await db.query({ text: "UPDATE refund SET sent_at = sent_at - interval '72 hours' WHERE payment_id = $1" }, [payment]);
      await killWorker(world(), death);
    }
    if (ends === 'unsure') {
      const worker = await world().start('worker');
      await expect.poll(() => requestsOf(payment)).toMatchObject([{ state: 'UNKNOWN' }]);
      await settleByHand(payment);
      await drain(world(), { callbacks: false });
      await worker.kill('SIGTERM');
    } else {
      await work();
    }
    if (ends === 'in review') {
      const reviews = { text: "SELECT kind FROM review WHERE resolved_at IS NULL AND kind = 'refund_unresolved'" };
      expect(await db.query(reviews)).toEqual([{ kind: 'refund_unresolved' }]);
      await settleByHand(payment);
      await work();
      expect(await db.query(reviews)).toEqual([]);
    }
    await expectGoneBack(payment);
  });
});

describe('a command killed', () => {
  test.each(COMMAND_CASES)('$what', async ({ death, asked }) => {
    const payment = nextPayment();
    expect(await world().bili(reverse(payment), death)).toBeNull();
    expect(await requestsOf(payment)).toHaveLength(asked ? 1 : 0);
    const entries = { text: "SELECT count(*)::int AS n FROM audit_entry WHERE subject = $1 AND action = 'refund.requested'" };
    expect(await world().runtime.db.query(entries, [payment])).toEqual([{ n: asked ? 1 : 0 }]);
    if (asked) await expect(world().bili(reverse(payment))).rejects.toThrow('A refund of this payment is in progress');
    else await world().bili(reverse(payment));
    await work();
    expect(await requestsOf(payment)).toMatchObject([{ state: 'DONE' }]);
    await expectGoneBack(payment);
  });
});

test('a worker that dies while it pays money out pays it once', async () => {
  const payment = nextPayment();
  await world().bili(reverse(payment));
  await world().runtime.db.query({ text: "UPDATE refund SET way = 'payout' WHERE payment_id = $1" }, [payment]);
  for (const death of PAYOUT_DEATHS) await killWorker(world(), death);
  await work();
  expect(await requestsOf(payment)).toMatchObject([{ state: 'DONE' }]);
  const payouts = { text: 'SELECT 1 FROM sandbox_refund WHERE prompt_reference IS NULL' };
  expect(await world().runtime.db.query(payouts)).toHaveLength(1);
  await expectGoneBack(payment);
});

describe('a command that records a refund by hand', () => {
  test.each(OUTSIDE_CASES)('killed at $death', async ({ death, done }) => {
    const { runtime } = world();
    const [id, transactionId] = [crypto.randomUUID(), `STRAY-${death}`];
    const account = { id: SANDBOX_ACCOUNT, environment: 'sandbox' } as const;
    const recordedAt = runtime.clock();
    await insertUnmatchedPayment(runtime.db, { id, account, transactionId, amount: 30_000n, mobile: null, recordedAt });
    elsewhere.push({ kind: 'payment', receipt: transactionId, amount: 30_000n });
    const refundOutside = ['payment', 'refund-outside', id, '--reason', 'sent by hand'];
    expect(await world().bili(refundOutside, death)).toBeNull();
    expect(await requestsOf(id)).toHaveLength(done ? 1 : 0);
    if (done) await expect(world().bili(refundOutside)).rejects.toThrow('No part of this payment is unmatched');
    else await world().bili(refundOutside);
    expect(await requestsOf(id)).toMatchObject([{ state: 'DONE' }]);
    await expectAllIsWell(world(), elsewhere);
  });
});

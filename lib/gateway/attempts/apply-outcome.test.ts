import { describe, expect, test } from 'vitest';
import { lockBill } from '@/lib/gateway/bills/change-bill';
import { findBill } from '@/lib/gateway/bills/store';
import { recordUnmatched } from '@/lib/gateway/ledger/record-unmatched';
import type { Attempt, Pace } from '@/lib/gateway/payments/rules';
import { listAttempts } from '@/lib/gateway/payments/store';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Outcome } from '@/lib/providers/port/outcome';
import { PACE } from '@/testing/data/attempts';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { applyOutcome } from './apply-outcome';
import { claimAttempts } from './claim-attempts';

const runtime = testRuntime();
const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
const pace: Pace = { ...PACE, maxQueryMs: 60_000 };

const newBill = (merchant: TestMerchant, amount = 5000.5) => makeBill(runtime(), merchant, { amount, mobile: '0712345001' });

async function onlyAttempt(billId: string): Promise<Attempt> {
  const [attempt, ...others] = await listAttempts(runtime().db, billId);
  if (!attempt || others.length > 0) throw new Error('there is not exactly one attempt');
  return attempt;
}

function apply(attempt: Attempt, outcome: Outcome, by: Runtime = runtime()): Promise<void> {
  return applyOutcome(by, { attempt, providerAccountId: SANDBOX_ACCOUNT, outcome, pace, source: 'callback', leaseToken: null });
}

const count = async (sql: string, billId: string) => {
  const [row] = await runtime().db.query<{ n: number }>({ text: `SELECT count(*)::int AS n FROM ${sql}` }, [billId]);
  return row?.n;
};

describe('a payment', () => {
  test('is booked once when 50 callbacks report it at the same time', async () => {
    const merchant = await makeMerchant(runtime());
    await runtime().db.query({ text: "UPDATE webhook_endpoint SET url = 'http://127.0.0.1:9/' WHERE merchant_id = $1" }, [
      merchant.merchant.id,
    ]);
    const billId = await newBill(merchant);
    const attempt = await onlyAttempt(billId);
    await Promise.all(Array.from({ length: 50 }, () => apply(attempt, { kind: 'paid', transactionId: `T-${billId}`, amount: 500100n })));

    expect(await findBill(runtime().db, merchant.scope('sandbox'), billId)).toMatchObject({
      status: 'FULLY_PAID',
      paidAmount: 500100n,
      reservedAmount: 0n,
    });
    expect(await count('payment_allocation WHERE bill_id = $1', billId)).toBe(1);
    expect(await count("bill_event WHERE bill_id = $1 AND type = 'bill.fully_paid'", billId)).toBe(1);
    expect(await count('webhook_delivery WHERE bill_id = $1', billId)).toBe(1);
    expect((await onlyAttempt(billId)).state).toBe('SUCCEEDED');
  });

  test('of a part leaves the bill partially paid and releases the reservation', async () => {
    const merchant = await makeMerchant(runtime());
    const billId = await newBill(merchant, 5000);
    await apply(await onlyAttempt(billId), { kind: 'paid', transactionId: `P-${billId}`, amount: 250000n });
    expect(await findBill(runtime().db, merchant.scope('sandbox'), billId)).toMatchObject({
      status: 'PARTIALLY_PAID',
      paidAmount: 250000n,
      reservedAmount: 0n,
      paidAt: null,
    });
  });

  test('after the expiry of the attempt is booked and marked as late', async () => {
    const merchant = await makeMerchant(runtime());
    const billId = await newBill(merchant);
    const attempt = await onlyAttempt(billId);
    await claimAttempts(runtime().db, { now: runtime().clock(), leaseUntil: addMs(runtime().clock(), MINUTE_MS), limit: 1_000 });
    await apply(attempt, { kind: 'accepted', providerReference: null });
    await apply(attempt, { kind: 'expired' });
    expect(await findBill(runtime().db, merchant.scope('sandbox'), billId)).toMatchObject({ status: 'NOT_PAID', reservedAmount: 0n });
    await apply(attempt, { kind: 'paid', transactionId: `L-${billId}`, amount: 500100n });
    expect(await findBill(runtime().db, merchant.scope('sandbox'), billId)).toMatchObject({ status: 'FULLY_PAID', reservedAmount: 0n });
    expect(await count('payment p JOIN push_attempt a ON a.id = p.attempt_id WHERE a.bill_id = $1 AND p.late', billId)).toBe(1);
  });

  test('with a second receipt is stored as unmatched', async () => {
    const merchant = await makeMerchant(runtime());
    const billId = await newBill(merchant);
    const attempt = await onlyAttempt(billId);
    await apply(attempt, { kind: 'paid', transactionId: `A-${billId}`, amount: 500100n });
    await apply(attempt, { kind: 'paid', transactionId: `B-${billId}`, amount: 500100n });
    expect(await findBill(runtime().db, merchant.scope('sandbox'), billId)).toMatchObject({ paidAmount: 500100n });
    expect(await count('payment p JOIN push_attempt a ON a.id = p.attempt_id WHERE a.bill_id = $1', billId)).toBe(2);
    expect(await count("bill_event WHERE bill_id = $1 AND type = 'payment.unmatched'", billId)).toBe(1);
  });
});

test('unmatched money is booked once on the bill of its attempt, and a repeated report changes nothing', async () => {
  const merchant = await makeMerchant(runtime());
  const billId = await newBill(merchant);
  const attempt = await onlyAttempt(billId);
  const paid = { kind: 'paid', transactionId: `U-${billId}`, amount: 500100n } as const;
  const account = { id: SANDBOX_ACCOUNT, environment: 'sandbox' } as const;
  await recordUnmatched(runtime(), { account, outcome: paid, mobile: null, source: 'callback' });
  await apply(attempt, paid);
  await apply(attempt, paid);
  expect(await findBill(runtime().db, merchant.scope('sandbox'), billId)).toMatchObject({ status: 'FULLY_PAID', paidAmount: 500100n });
  expect(await count('review WHERE attempt_id = (SELECT id FROM push_attempt WHERE bill_id = $1)', billId)).toBe(0);
});

test('events are numbered without gaps when outcomes are applied at the same time', async () => {
  const merchant = await makeMerchant(runtime());
  const billId = await newBill(merchant);
  const attempt = await onlyAttempt(billId);
  await Promise.all([
    apply(attempt, { kind: 'expired' }),
    apply(attempt, { kind: 'paid', transactionId: `E-${billId}`, amount: 100n }),
    apply(attempt, { kind: 'accepted', providerReference: null }),
    apply(attempt, { kind: 'failed', reason: 'wrong_pin' }),
  ]);
  const rows = await runtime().db.query<{ number: number }>({ text: 'SELECT number FROM bill_event WHERE bill_id = $1 ORDER BY number' }, [
    billId,
  ]);
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  expect(await count('bill WHERE id = $1 AND event_count = (SELECT count(*) FROM bill_event e WHERE e.bill_id = bill.id)', billId)).toBe(1);
});

describe('outcomes that come at the same time', () => {
  const paid = (billId: string, transactionId = `T-${billId}`): Outcome => ({ kind: 'paid', transactionId, amount: 500000n });

  async function attempts(size: number): Promise<Attempt[]> {
    const merchant = await makeMerchant(runtime());
    const billIds = await Promise.all(Array.from({ length: size }, () => newBill(merchant, 5000)));
    return Promise.all(billIds.map(onlyAttempt));
  }

  const states = (all: readonly Attempt[]) => Promise.all(all.map(async ({ billId }) => (await onlyAttempt(billId)).state));

  test('share a transaction', async () => {
    const all = await attempts(20);
    const { db } = runtime();
    let transactions = 0;
    const counted: Runtime = {
      ...runtime(),
      db: {
        ...db,
        sqlTransaction(work, options) {
          transactions += 1;
          return db.sqlTransaction(work, options);
        },
      },
    };
    await Promise.all(all.map((attempt) => apply(attempt, paid(attempt.billId), counted)));
    expect(transactions).toBe(1);
    expect(new Set(await states(all))).toEqual(new Set(['SUCCEEDED']));
  });

  test('do not wait for a bill that another transaction has locked', async () => {
    const [held, ...others] = await attempts(4);
    if (!held) throw new Error('there is no attempt');
    const waiting = await runtime().db.sqlTransaction(async (tx) => {
      await lockBill(tx, held.billId);
      const late = apply(held, paid(held.billId));
      await Promise.all(others.map((attempt) => apply(attempt, paid(attempt.billId))));
      expect(await states([held, ...others])).toEqual(['QUEUED', 'SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
      return [late];
    });
    await Promise.all(waiting);
    expect(await states([held])).toEqual(['SUCCEEDED']);
  });

  test('with the same receipt are booked once, and the other attempt is reviewed', async () => {
    const [first, second, third] = await attempts(3);
    if (!first || !second || !third) throw new Error('there are too few attempts');
    // The first outcome is applied alone. The other two, which have the same receipt number, are applied in one transaction.
    await Promise.all([first, second, third].map((attempt, index) => apply(attempt, paid(attempt.billId, index === 0 ? 'T-1' : 'T-2'))));
    expect(await count('payment_allocation WHERE bill_id = $1', second.billId)).toBe(1);
    expect(await count('payment_allocation WHERE bill_id = $1', third.billId)).toBe(0);
    expect(await count("bill_event WHERE bill_id = $1 AND type = 'payment.conflict'", third.billId)).toBe(1);
  });

  test('are applied although one of them fails', async () => {
    const [first, second, third] = await attempts(3);
    if (!first || !second || !third) throw new Error('there are too few attempts');
    const unknown = { ...second, id: crypto.randomUUID() };
    const done = await Promise.allSettled([first, unknown, third].map((attempt) => apply(attempt, paid(attempt.billId))));
    expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await states([first, second, third])).toEqual(['SUCCEEDED', 'QUEUED', 'SUCCEEDED']);
  });
});

describe('the queue of attempts', () => {
  test('gives each attempt to one of several workers, and commits SENDING', async () => {
    const { db, clock } = runtime();
    const merchant = await makeMerchant(runtime());
    const bills = await Promise.all(Array.from({ length: 30 }, () => newBill(merchant)));
    const claim = () => claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 1_000 });
    const taken = (await Promise.all([claim(), claim(), claim()])).flat().filter(({ billId }) => bills.includes(billId));
    expect(new Set(taken.map(({ id }) => id)).size).toBe(30);
    expect(taken).toHaveLength(30);
    expect(taken.every(({ state, previousState }) => state === 'SENDING' && previousState === 'QUEUED')).toBe(true);
  });

  test('gives the attempt of a killed worker to another one after the lease, with a new fencing token', async () => {
    const { db, clock } = runtime();
    await db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
    const billId = await newBill(await makeMerchant(runtime()));
    const find = async (limitMs: number) =>
      (await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), limitMs), limit: 1_000 })).find(
        (attempt) => attempt.billId === billId,
      );
    const first = await find(MINUTE_MS);
    expect(await find(MINUTE_MS)).toBeUndefined();
    runtime().advance(MINUTE_MS + 1);
    const second = await find(MINUTE_MS);
    expect(second).toMatchObject({ previousState: 'SENDING', state: 'SENDING', sendCount: 1, leaseToken: (first?.leaseToken ?? 0) + 1 });
    if (!first) throw new Error('the attempt was not claimed');

    // The first worker continues and reports that nothing was sent. Its report must be ignored.
    await applyOutcome(runtime(), {
      attempt: first,
      providerAccountId: SANDBOX_ACCOUNT,
      outcome: { kind: 'not_sent' },
      pace,
      source: 'answer',
      leaseToken: first.leaseToken,
    });
    expect((await onlyAttempt(billId)).state).toBe('SENDING');
  });
});

test('an answer that is applied after a callback has settled the attempt leaves the later status queries due', async () => {
  const { db, clock } = runtime();
  await db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
  const billId = await newBill(await makeMerchant(runtime()));
  const [claimed] = await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 1_000 });
  if (claimed?.billId !== billId) throw new Error('the attempt was not claimed');
  await db.query({ text: 'UPDATE push_attempt SET provider_account_id = $2 WHERE bill_id = $1' }, [billId, SANDBOX_ACCOUNT]);
  await apply(claimed, { kind: 'expired' });
  const due = () => db.query({ text: 'SELECT state, due_at, lease_until FROM push_attempt WHERE bill_id = $1' }, [billId]);
  const scheduled = await due();
  expect(scheduled).toEqual([{ state: 'EXPIRED', due_at: expect.any(Date), lease_until: null }]);
  await applyOutcome(runtime(), {
    attempt: claimed,
    providerAccountId: SANDBOX_ACCOUNT,
    outcome: { kind: 'accepted', providerReference: null },
    pace,
    source: 'answer',
    leaseToken: claimed.leaseToken,
  });
  expect(await due()).toEqual(scheduled);
});

describe('the database', () => {
  test('rejects a paid amount that is not the sum of the allocations', async () => {
    const merchant = await makeMerchant(runtime());
    const billId = await newBill(merchant);
    const change = runtime().db.query({ text: "UPDATE bill SET paid_amount = 100, status = 'PARTIALLY_PAID' WHERE id = $1" }, [billId]);
    await expect(change).rejects.toThrow('not the sum of its allocations');
  });

  test('rejects a status that does not match the paid amount', async () => {
    const billId = await newBill(await makeMerchant(runtime()));
    await expect(runtime().db.query({ text: "UPDATE bill SET status = 'FULLY_PAID' WHERE id = $1" }, [billId])).rejects.toThrow(
      'bill_status_follows_paid_amount',
    );
  });

  test.each([
    'UPDATE payment SET amount = 1',
    'DELETE FROM payment',
    'UPDATE payment_allocation SET amount = 1',
    'DELETE FROM payment_allocation',
  ])('rejects: %s', async (sql) => {
    const merchant = await makeMerchant(runtime());
    const billId = await newBill(merchant);
    await apply(await onlyAttempt(billId), { kind: 'paid', transactionId: `X-${billId}`, amount: 500100n });
    await expect(runtime().db.query({ text: sql })).rejects.toThrow('never changed or deleted');
  });
});

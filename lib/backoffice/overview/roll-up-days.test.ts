import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocatePayment } from '@/lib/gateway/ledger/allocate-payment';
import { correctPayment, movePayment } from '@/lib/gateway/ledger/correct-payment';
import { recordPayment } from '@/lib/gateway/ledger/record-payment';
import { listAttempts, moveAttempts } from '@/lib/gateway/payments/store';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { newId } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, type TestRuntime, testRuntime } from '@/testing/runtime';
import { sumSpans } from './day-store';
import { readHours } from './hour-store';
import { addDays, type Day, daysFrom, startOf } from './periods';
import { readDays } from './read-days';
import { rebuildDays, rollUpDays } from './roll-up-days';
import { readCoverage } from './rollup-store';
import { readUnpaidDays } from './unpaid-store';

const runtime = testRuntime();
const FIRST: Day = '2026-01-28';
const START = startOf(FIRST);
const LAST_HOUR = 12 * 24;

/** Returns the runtime with its clock at an instant. */
const at = (instant: Date): TestRuntime => ({ ...runtime(), clock: () => instant });

/**
 * The payments and reversals of a merchant, each with what it gave to or took from bills in total, including its corrections and moves.
 * It does not use the columns of the product's sums.
 */
const ENTRIES = `(SELECT e.kind, e.source, e.attempt_id, coalesce(e.happened_at, e.recorded_at) AS happened, (SELECT sum(a.amount) FROM payment_allocation a
    WHERE a.payment_id = e.id OR a.payment_id IN (SELECT id FROM payment_correction WHERE corrects_id = e.id)) AS total
  FROM payment e WHERE e.kind <> 'correction' AND EXISTS (
    SELECT 1 FROM payment_allocation a WHERE a.payment_id = e.id AND a.merchant_id = $1 AND a.environment = $2))`;

/** Sums up the rows by day with plain SQL. */
async function plainSums(scope: Scope) {
  const values = [scope.merchantId, scope.environment];
  const day = (column: string) => `(${column} AT TIME ZONE 'Africa/Dar_es_Salaam')::date::text`;
  const query = (text: string) => runtime().db.query<Record<string, unknown>>({ text }, values);
  return {
    money: await query(`SELECT ${day('happened')} AS day, coalesce(sum(total) FILTER (WHERE kind = 'payment'), 0)::bigint AS collected,
        coalesce(-sum(total) FILTER (WHERE kind = 'reversal'), 0)::bigint AS reversed, (count(*) FILTER (WHERE kind = 'payment'))::int AS payments,
        coalesce(sum(total) FILTER (WHERE kind = 'payment' AND source <> 'provider'), 0)::bigint AS "byHand"
      FROM ${ENTRIES} entry GROUP BY 1 HAVING bool_or(kind = 'payment' OR total <> 0) ORDER BY 1`),
    created: await query(
      `SELECT ${day('created_at')} AS day, count(*)::int AS n FROM bill WHERE merchant_id = $1 AND environment = $2 GROUP BY 1 ORDER BY 1`,
    ),
    paid: await query(`SELECT ${day('paid_at')} AS day, count(*)::int AS n, (sum(extract(epoch FROM paid_at - created_at)) * 1000)::bigint AS ms
      FROM bill WHERE merchant_id = $1 AND environment = $2 AND status = 'FULLY_PAID' GROUP BY 1 ORDER BY 1`),
    attempts:
      await query(`SELECT ${day('settled_at')} AS day, network, state::text AS state, coalesce(failure_reason, '') AS reason, count(*)::int AS count
      FROM push_attempt WHERE merchant_id = $1 AND environment = $2 AND state IN ('SUCCEEDED', 'FAILED', 'EXPIRED') GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`),
    hours:
      await query(`SELECT coalesce(t.network, 'other') AS network, extract(hour FROM happened AT TIME ZONE 'Africa/Dar_es_Salaam')::int AS hour,
        sum(total)::bigint AS amount, count(*)::int AS payments
      FROM ${ENTRIES} entry LEFT JOIN push_attempt t ON t.id = entry.attempt_id WHERE kind = 'payment' AND entry.source = 'provider' GROUP BY 1, 2 ORDER BY 1, 2`),
    unpaid: await query(`SELECT ${day('created_at')} AS day, count(*)::int AS bills, sum(amount - paid_amount)::bigint AS amount
      FROM bill WHERE merchant_id = $1 AND environment = $2 AND status <> 'FULLY_PAID' AND closed_at IS NULL GROUP BY 1 ORDER BY 1`),
  };
}

/** Returns the sums by day from the data of the overview. */
async function knownSums(scope: Scope, today: Day) {
  const { db } = runtime();
  const known = await readDays(db, scope, { first: FIRST, today });
  const { hoursTo, stale } = await readCoverage(db, scope, FIRST);
  const counted = daysFrom(FIRST, today).filter((one) => hoursTo === null || one >= hoursTo || stale.includes(one));
  const days = [...known.payments.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
  const key = ({ day, network, state, reason }: (typeof known.attempts)[number]) => [day, network, state, reason].join(' ');
  return {
    money: days
      .filter(({ collected, reversed, payments }) => collected !== 0n || reversed !== 0n || payments > 0)
      .map(({ day, collected, reversed, payments, byHand }) => ({ day, collected, reversed, payments, byHand })),
    created: days.filter(({ billsCreated }) => billsCreated > 0).map(({ day, billsCreated: n }) => ({ day, n })),
    paid: days.filter(({ billsPaid }) => billsPaid > 0).map(({ day, billsPaid: n, paidAfterMs: ms }) => ({ day, n, ms })),
    attempts: [...known.attempts].sort((a, b) => (key(a) < key(b) ? -1 : 1)),
    hours: await readHours(db, scope, { first: FIRST, last: today, counted }),
    unpaid: await readUnpaidDays(db, scope, hoursTo),
  };
}

const hour = fc.integer({ min: 0, max: LAST_HOUR });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('bill' as const), hour, minute: fc.integer({ min: 0, max: 59 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), hour, bill: fc.nat(), part: fc.constantFrom(30n, 70n, 100n, 130n) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cash' as const), hour, bill: fc.nat(), hoursAgo: fc.nat({ max: 50 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), hour, bill: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('correct' as const), hour, bill: fc.nat(), to: fc.constantFrom(0n, 20n, 90n) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), hour, bill: fc.nat(), to: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('close' as const), hour, bill: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      hour,
      bill: fc.nat(),
      state: fc.constantFrom('SUCCEEDED' as const, 'FAILED' as const, 'EXPIRED' as const, 'CANCELLED' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('roll' as const), hour }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface History {
  readonly merchant: TestMerchant;
  readonly bills: { readonly id: string; readonly payments: bigint[] }[];
}

async function take(history: History, one: Step, now: TestRuntime): Promise<void> {
  if (one.kind === 'roll') return void (await rollUpDays(now));
  if (one.kind === 'bill') {
    const id = await makeBill(now, history.merchant, { amount: 1, reference: 'R', mobile: one.minute % 2 === 0 ? '0754000001' : null });
    history.bills.push({ id, payments: [] });
    return;
  }
  const bill = history.bills[one.bill % Math.max(history.bills.length, 1)];
  if (!bill) return;
  if (one.kind === 'correct' || one.kind === 'move') return change(history, bill.id, one, now);
  if (one.kind === 'pay') {
    await pay(now, bill.id, one.part);
    bill.payments.push(one.part);
  } else if (one.kind === 'cash') {
    const access = operatorAccess(TEST_OPERATOR, history.merchant.scope('sandbox'));
    // The sums are read from the first day on.
    const receivedAt = addMs(now.clock(), -Math.min(one.hoursAgo, one.hour) * HOUR_MS).toISOString();
    const entered = { amount: 40n, source: 'cash', receivedAt, slip: '', note: '', overpay: true } as const;
    await recordPayment(now, access, { ...entered, billId: bill.id, requestKey: newId(now) });
  } else if (one.kind === 'reverse') {
    const amount = bill.payments.pop();
    if (amount !== undefined) await pay(now, bill.id, -amount).catch(ignoreRefusal);
  } else if (one.kind === 'close') {
    const closed = { text: 'UPDATE bill SET closed_at = CASE WHEN closed_at IS NULL THEN $2::timestamptz END WHERE id = $1' };
    await now.db.query(closed, [bill.id, now.clock()]);
  } else await end(now, bill.id, one.state);
}

/** Ignores that the database refuses a reversal, because a correction has made the payment smaller or has moved it. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && (error.code === '23514' || error.code === 'P0001'))) throw error;
}

/** Corrects or moves the newest payment or reversal of a bill. The product refuses some of these changes. */
async function change({ bills }: History, billId: string, one: Extract<Step, { kind: 'correct' | 'move' }>, now: TestRuntime) {
  const origin = { reason: 'mistyped', actor: TEST_OPERATOR, reviewId: null };
  const text = `SELECT p.id, p.kind FROM payment p JOIN payment_allocation a ON a.payment_id = p.id
    WHERE a.bill_id = $1 AND p.kind <> 'correction' ORDER BY p.id DESC LIMIT 1`;
  const [entry] = await now.db.query<{ id: string; kind: string }>({ text }, [billId]);
  if (!entry) return;
  if (one.kind === 'correct') await correctPayment(now, { ...origin, entryId: entry.id, to: one.to });
  else await movePayment(now, { ...origin, paymentId: entry.id, billId: bills[one.to % bills.length]?.id ?? billId });
}

/** Ends a bill's attempt. Also changes an attempt that has ended without payment to SUCCEEDED. */
async function end({ db, clock }: Pick<Runtime, 'db' | 'clock'>, billId: string, state: 'SUCCEEDED' | 'FAILED' | 'EXPIRED' | 'CANCELLED') {
  const [attempt] = await listAttempts(db, billId);
  if (!attempt || attempt.state === 'SUCCEEDED' || attempt.state === 'CANCELLED') return;
  const late = attempt.state !== 'QUEUED';
  const failureReason = state === 'FAILED' && !late ? 'wrong_pin' : null;
  const decision = {
    failureReason,
    providerReference: null,
    dueAt: null,
    payment: null,
    evidence: null,
    leaves: false,
    review: null,
  } as const;
  await moveAttempts(db, [{ attempt, decision: { ...decision, state: late ? 'SUCCEEDED' : state } }], clock());
}

test('stored sums and counted days together equal a plain sum, after any history and any runs of the worker', {
  tags: ['full'],
  timeout: 180_000,
}, async () => {
  const merchant = await makeMerchant(runtime());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const history: History = { merchant: await makeMerchant(runtime()), bills: [] };
      const noise: History = { merchant, bills: [] };
      for (const one of steps.toSorted((a, b) => a.hour - b.hour)) {
        const now = at(addMs(START, one.hour * HOUR_MS + (one.kind === 'bill' ? one.minute * MINUTE_MS : 59 * MINUTE_MS)));
        await take(history, one, now);
        if (one.kind === 'bill') await take(noise, one, now);
      }
      const scope = history.merchant.scope('sandbox');
      const today = eastAfricanDay(addMs(START, (LAST_HOUR + 1) * HOUR_MS));
      expect(await knownSums(scope, today)).toEqual(await plainSums(scope));
    }),
    { numRuns: 25 },
  );
});

test('a bill that is paid by a payment that was moved counts on the day of the move, on which nothing else happened', async () => {
  const history: History = { merchant: await makeMerchant(runtime()), bills: [] };
  const steps: readonly Step[] = [
    { kind: 'bill', hour: 0, minute: 0 },
    { kind: 'bill', hour: 0, minute: 0 },
    { kind: 'pay', hour: 1, bill: 0, part: 130n },
    { kind: 'move', hour: 24, bill: 0, to: 1 },
  ];
  for (const one of steps) await take(history, one, at(addMs(START, one.hour * HOUR_MS)));
  const scope = history.merchant.scope('sandbox');
  const sums = await knownSums(scope, addDays(FIRST, 2));
  expect(sums.paid).toMatchObject([{ day: addDays(FIRST, 1), n: 1 }]);
  expect(sums).toEqual(await plainSums(scope));
});

test('late money causes a stored day to be counted, and then summed up again', async () => {
  const merchant = await makeMerchant(runtime());
  const scope = merchant.scope('sandbox');
  const bill = await makeBill(at(addMs(START, HOUR_MS)), merchant, { amount: 1, mobile: '0754000001' });
  await end(at(addMs(START, 2 * HOUR_MS)), bill, 'FAILED');
  await rollUpDays(at(addMs(START, 20 * DAY_MS)));
  const late = addMs(START, 20 * DAY_MS + HOUR_MS);
  await end(at(late), bill, 'SUCCEEDED');
  expect((await readCoverage(runtime().db, scope, FIRST)).stale).toEqual([FIRST]);
  expect(await knownSums(scope, eastAfricanDay(late))).toEqual(await plainSums(scope));
  await rollUpDays(at(addMs(late, 2 * HOUR_MS)));
  expect(await readCoverage(runtime().db, scope, FIRST)).toEqual({ coveredTo: addDays(FIRST, 20), hoursTo: addDays(FIRST, 20), stale: [] });
  expect(await knownSums(scope, eastAfricanDay(late))).toEqual(await plainSums(scope));
});

test('a day is summed up 15 minutes after its end, and then read instead of counted', async () => {
  const merchant = await makeMerchant(runtime());
  const scope = merchant.scope('sandbox');
  await makeBill(at(addMs(START, HOUR_MS)), merchant);
  const midnight = addMs(START, DAY_MS);
  const covered = async () => (await readCoverage(runtime().db, scope, FIRST)).coveredTo;
  await rollUpDays(at(addMs(midnight, 14 * MINUTE_MS)));
  expect(await covered()).toBe(FIRST);
  await rollUpDays(at(addMs(midnight, 74 * MINUTE_MS)));
  expect(await covered()).toBe(addDays(FIRST, 1));
  await runtime().db.query({ text: 'UPDATE payment_day SET bills_created = 7 WHERE merchant_id = $1' }, [scope.merchantId]);
  const { payments } = await readDays(runtime().db, scope, { first: FIRST, today: addDays(FIRST, 1) });
  expect(payments.get(FIRST)?.billsCreated).toBe(7);
  expect(await rebuildDays(at(addMs(midnight, 2 * HOUR_MS)), scope)).toEqual({ overviews: 1, days: 1 });
  expect(await knownSums(scope, addDays(FIRST, 1))).toEqual(await plainSums(scope));
});

test('a payment that is moved to another bill counts once, and one that was recorded late counts on its day', async () => {
  const merchant = await makeMerchant(runtime());
  const scope = merchant.scope('sandbox');
  const recorded = addMs(START, 10 * DAY_MS);
  const [first, second] = [await makeBill(at(START), merchant, { amount: 1 }), await makeBill(at(START), merchant, { amount: 1 })];
  const text = `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, amount, recorded_at, happened_at)
    VALUES ($1::uuid, 'sandbox', $2, '00000000-0000-7000-8000-5a0db0c00001', $1::text, 'payment', 100, $3, $4)`;
  const [late, midnight] = [newId(at(recorded)), newId(at(recorded))];
  await runtime().db.query({ text }, [late, scope.merchantId, recorded, addMs(START, 2 * HOUR_MS)]);
  await runtime().db.query({ text }, [midnight, scope.merchantId, recorded, addMs(START, DAY_MS)]);
  await rollUpDays(at(recorded));
  const origin = { reason: 'his order', actor: TEST_OPERATOR };
  for (const paymentId of [late, midnight])
    expect(await allocatePayment(at(recorded), { ...origin, paymentId, billId: first, amount: null })).toMatchObject({ ok: true });
  const moved = { ...origin, paymentId: late, billId: second, reviewId: null };
  expect(await movePayment(at(addMs(recorded, DAY_MS)), moved)).toMatchObject({ ok: true });
  const today = addDays(FIRST, 11);
  const sums = async () => (await knownSums(scope, today)).money;
  const expected = [FIRST, addDays(FIRST, 1)].map((day) => ({ day, collected: 100n, reversed: 0n, payments: 1, byHand: 0n }));
  expect(await sums()).toEqual(expected);
  await rollUpDays(at(addMs(recorded, 2 * DAY_MS)));
  expect(await sums()).toEqual(expected);
  expect((await knownSums(scope, today)).hours).toEqual([
    { network: 'other', hour: 0, amount: 100n, payments: 1 },
    { network: 'other', hour: 2, amount: 100n, payments: 1 },
  ]);
  expect(
    await sumSpans(runtime().db, scope, [
      { from: START, to: addMs(START, DAY_MS) },
      { from: addMs(START, DAY_MS), to: recorded },
    ]),
  ).toEqual([100n, 100n]);
});

test('an amount that is allocated at midnight counts on the day that begins', async () => {
  const merchant = await makeMerchant(runtime());
  const midnight = addMs(START, DAY_MS);
  await pay(at(midnight), await makeBill(at(START), merchant, { amount: 1 }), 100n);
  const scope = merchant.scope('sandbox');
  const { payments } = await readDays(runtime().db, scope, { first: FIRST, today: addDays(FIRST, 2) });
  expect([FIRST, addDays(FIRST, 1)].map((day) => [payments.get(day)?.payments ?? 0, payments.get(day)?.billsPaid ?? 0])).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

test('a reversal that was corrected to nothing leaves a day on which nothing happened', async () => {
  const history: History = { merchant: await makeMerchant(runtime()), bills: [] };
  const steps: readonly Step[] = [
    { kind: 'bill', hour: 0, minute: 0 },
    { kind: 'pay', hour: 0, bill: 0, part: 30n },
    { kind: 'reverse', hour: 24, bill: 0 },
    { kind: 'correct', hour: 25, bill: 0, to: 0n },
  ];
  for (const one of steps) await take(history, one, at(addMs(START, one.hour * HOUR_MS)));
  const scope = history.merchant.scope('sandbox');
  const sums = await knownSums(scope, addDays(FIRST, 3));
  expect(sums.money).toMatchObject([{ day: FIRST, collected: 30n, payments: 1 }]);
  expect(sums).toEqual(await plainSums(scope));
});

test('money that people received counts as by hand, on its day, and in no network', async () => {
  const history: History = { merchant: await makeMerchant(runtime()), bills: [] };
  const steps: readonly Step[] = [
    { kind: 'bill', hour: 0, minute: 1 },
    { kind: 'cash', hour: 30, bill: 0, hoursAgo: 10 },
    { kind: 'roll', hour: 80 },
    { kind: 'correct', hour: 81, bill: 0, to: 20n },
    { kind: 'pay', hour: 82, bill: 0, part: 70n },
  ];
  for (const one of steps) await take(history, one, at(addMs(START, one.hour * HOUR_MS)));
  const scope = history.merchant.scope('sandbox');
  const sums = await knownSums(scope, addDays(FIRST, 4));
  expect(sums.money).toMatchObject([
    { day: FIRST, collected: 20n, byHand: 20n, payments: 1 },
    { day: addDays(FIRST, 3), collected: 70n, byHand: 0n },
  ]);
  expect(sums).toEqual(await plainSums(scope));
});

import { beforeEach, describe, expect, test } from 'vitest';
import { addMs, SECOND_MS } from '@/lib/core/clock';
import { makeAccount, makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { applyOutcome } from './apply-outcome';
import { assignAccount, connectionWaitMs } from './assign-account';
import { LEASE_MS } from './hold-lease';
import type { Outcome } from './outcome';
import { type ClaimedAttempt, claimAttempts, listAttempts } from './store';

const runtime = testRuntime();
const PACE = {
  firstQueryMs: SECOND_MS,
  unknownQueryMs: SECOND_MS,
  maxQueryMs: SECOND_MS,
  retryMs: SECOND_MS,
  giveUpMs: 60 * SECOND_MS,
  promptMs: 60 * SECOND_MS,
  refusesDuplicates: false,
  indexingMs: 0,
};

let merchant: TestMerchant;
let accountId: string;
beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  ({ id: accountId } = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' }));
  await runtime().db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
});

async function newBills<const Count extends number>(count: Count): Promise<string[] & { length: Count }> {
  const bills: string[] = [];
  for (let number = 0; number < count; number += 1) {
    bills.push(await makeBill(runtime(), merchant, { mobile: '0754000001' }));
    // Due one after the other.
    runtime().advance(1);
  }
  return Object.assign(bills, { length: count });
}

/** Claims everything that is due. @returns the claim of a bill's attempt. */
async function claimAll(): Promise<(billId: string | undefined) => ClaimedAttempt> {
  const { db, clock } = runtime();
  const claimed = await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit: 100 });
  return (billId) => {
    const attempt = claimed.find((one) => one.billId === billId);
    if (!attempt) throw new Error('it was not due');
    return attempt;
  };
}

const ask = (attempt: ClaimedAttempt, callsAtOnce = 1) => assignAccount(runtime(), attempt, { accountId, callsAtOnce });

const tell = (attempt: ClaimedAttempt, outcome: Outcome) =>
  applyOutcome(runtime(), { attempt, outcome, providerAccountId: accountId, pace: PACE, source: 'answer', leaseToken: attempt.leaseToken });

const rows = (text: string, billId: string | undefined) => runtime().db.query({ text }, [billId]);

describe('an account whose connections are all taken', () => {
  test('puts an attempt back as if it had not been claimed, and says nothing of it', async () => {
    const [first, second] = await newBills(2);
    const before = await rows('SELECT due_at FROM push_attempt WHERE bill_id = $1', second);
    const claimed = await claimAll();
    expect(await ask(claimed(first))).toBe('assigned');
    expect(await ask(claimed(second))).toBe('full');
    expect(
      await rows('SELECT state, send_count, sent_at, provider_account_id, due_at FROM push_attempt WHERE bill_id = $1', second),
    ).toEqual([{ state: 'QUEUED', send_count: 0, sent_at: null, provider_account_id: null, ...before[0] }]);
    expect(await rows('SELECT count(*)::int AS n FROM bill_event WHERE bill_id = $1', second)).toEqual([{ n: 1 }]);
    await expect(claimAll().then((again) => again(second))).rejects.toThrow('it was not due');
  });

  test('serves those that wait in the order in which they were due, before any that come later', async () => {
    const [first, second, third] = await newBills(3);
    const claimed = await claimAll();
    for (const bill of [first, third, second]) await ask(claimed(bill));
    await tell(claimed(first), { kind: 'accepted', providerReference: null });

    const [late] = await newBills(1);
    expect(await ask((await claimAll())(late))).toBe('full');
    runtime().advance(15 * SECOND_MS);
    const again = await claimAll();
    expect(await ask(again(late))).toBe('full');
    expect(await ask(again(third))).toBe('full');
    expect(await ask(again(second))).toBe('assigned');
  });

  test('has a connection again when a worker died and its lease ran out', async () => {
    const [first] = await newBills(1);
    expect(await ask((await claimAll())(first))).toBe('assigned');
    runtime().advance(LEASE_MS + 1);
    const [second] = await newBills(1);
    const again = await claimAll();
    await tell(again(first), { kind: 'unknown' });
    expect(await ask(again(second))).toBe('assigned');
  });

  test('counts calls, not attempts that were claimed to be sent again', async () => {
    const bills = await newBills(3);
    const claimed = await claimAll();
    for (const bill of bills) {
      expect(await ask(claimed(bill))).toBe('assigned');
      await tell(claimed(bill), { kind: 'not_sent' });
    }
    runtime().advance(SECOND_MS);
    const again = await claimAll();
    const answers: string[] = [];
    for (const bill of bills) answers.push(await ask(again(bill)));
    expect(answers).toEqual(['assigned', 'full', 'full']);
    expect(await listAttempts(runtime().db, bills[1] ?? '')).toMatchObject([
      { state: 'QUEUED', sendCount: 1, providerAccountId: accountId },
    ]);
  });

  test('decides for one attempt at a time', async () => {
    const bills = await newBills(12);
    const claimed = await claimAll();
    const answers = await Promise.all(bills.map((bill) => ask(claimed(bill), 5)));
    expect(answers.filter((answer) => answer === 'assigned')).toHaveLength(5);
  });
});

test('an attempt that another worker has is neither sent nor put back', async () => {
  const [first, second] = await newBills(2);
  const claimed = await claimAll();
  expect(await ask(claimed(first))).toBe('assigned');
  runtime().advance(LEASE_MS + 1);
  await claimAll();
  expect(await ask(claimed(first))).toBe('lost');
  expect(await ask(claimed(second))).toBe('lost');
  expect((await listAttempts(runtime().db, second ?? ''))[0]?.state).toBe('SENDING');
});

test('a line of thousands at one account leaves the workers to others', async () => {
  const { db, clock } = runtime();
  const shop = await makeMerchant(runtime());
  const [bill] = await newBills(1);
  const since = addMs(clock(), -60 * SECOND_MS);
  // Each has rested for a part of its time already.
  const left = Array.from({ length: 4_000 }, (_, place) => {
    const parts = [(place * 0.618) % 1, (place * 0.414) % 1] as const;
    return connectionWaitMs(Math.min(place, 60), 1, parts[0]) * parts[1];
  });
  await db.query(
    {
      text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at, call_account_id, lease_until)
             SELECT gen_random_uuid(), $1, 'sandbox', $2, 'api', '0755' || lpad(place::text, 6, '0'), 'vodacom', 500000, upper(substr(md5(place::text), 1, 20)), 'QUEUED',
               $3::timestamptz + place * interval '1 millisecond', $3, $4, $5::timestamptz + ms * interval '1 millisecond'
             FROM unnest($6::float8[]) WITH ORDINALITY AS line(ms, place)`,
    },
    [merchant.scope('sandbox').merchantId, bill, since, accountId, clock(), left],
  );
  runtime().advance(SECOND_MS);
  const other = await makeBill(runtime(), shop, { mobile: '0712345001' });
  const claimed = await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit: 200 });
  expect(claimed.map(({ billId }) => billId)).toContain(other);
  expect(claimed.length).toBeLessThan(60);
});

test.each([
  [0, 1, 1_000],
  [0, 50, 1_000],
  [20, 50, 2_000],
  [2, 1, 10_000],
  [500, 50, 50_000],
])('with %d ahead for %d connections it asks again after %d ms', (ahead, callsAtOnce, expected) => {
  expect(connectionWaitMs(ahead, callsAtOnce, 0)).toBe(expected);
  expect(connectionWaitMs(ahead, callsAtOnce, 1)).toBe(expected);
});

test('far back it asks again within five minutes, not all at once', () => {
  expect(connectionWaitMs(60, 1, 0)).toBe(300_000);
  expect(connectionWaitMs(3_000, 50, 1)).toBe(150_000);
});

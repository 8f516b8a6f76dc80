import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { BREAKER_FAILURES, PROMPT_WAIT_MS } from '@/lib/providers/accounts/health-rules';
import { type CallKind, recordAnswer, recordFailure } from '@/lib/providers/accounts/health-store';
import type { Outcome } from '@/lib/providers/port/outcome';
import { makeAccount, makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { applyOutcome } from './apply-outcome';
import { type ClaimedAttempt, claimAttempts } from './claim-attempts';
import { LEASE_MS } from './hold-lease';
import { noteAccount, noteWorkFailed } from './lease-store';

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
  await rows("UPDATE push_attempt SET due_at = NULL, lease_until = NULL, call_token = NULL WHERE state <> 'FAILED'");
  ({ merchant, accountId } = await makeShop(1));
});

const rows = (text: string, ...values: readonly unknown[]) => runtime().db.query({ text }, values);

/** Creates a merchant with its own provider account, which has this limit of parallel calls. */
async function makeShop(callLimit: number | null): Promise<{ merchant: TestMerchant; accountId: string }> {
  const shop = await makeMerchant(runtime());
  const { id } = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' });
  await rows(
    "UPDATE provider_account SET merchant_id = $2, networks = '{vodacom}', call_limit = $3 WHERE id = $1",
    id,
    shop.merchant.id,
    callLimit,
  );
  return { merchant: shop, accountId: id };
}

const limit = (callLimit: number) => rows('UPDATE provider_account SET call_limit = $2 WHERE id = $1', accountId, callLimit);

async function newBills(count: number, shop = merchant): Promise<string[]> {
  const bills: string[] = [];
  for (let number = 0; number < count; number += 1) {
    bills.push(await makeBill(runtime(), shop, { mobile: '0754000001' }));
    // The attempt of each bill is due later than the attempt of the bill before.
    runtime().advance(1);
  }
  return bills;
}

const claim = (most = 100, crowdedLimit = most) => {
  const { db, clock } = runtime();
  return claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit: most, crowdedLimit });
};
const billsOf = (claimed: readonly ClaimedAttempt[]) => claimed.map(({ billId }) => billId);

const report = (attempt: ClaimedAttempt, outcome: Outcome) =>
  applyOutcome(runtime(), { attempt, outcome, providerAccountId: accountId, pace: PACE, source: 'answer', leaseToken: attempt.leaseToken });

async function claimOne(): Promise<ClaimedAttempt> {
  const [attempt, ...others] = await claim();
  if (!attempt || others.length > 0) throw new Error(`${others.length + (attempt ? 1 : 0)} were claimed`);
  return attempt;
}

describe('an account at its limit of parallel calls', () => {
  test('leaves the other prompts in the queue unchanged, and sends them in the order of their due times', async () => {
    const [first, second, third] = await newBills(3);
    const before = await rows('SELECT state, send_count, sent_at, due_at, lease_until FROM push_attempt WHERE bill_id = $1', second);
    const sending = await claimOne();
    expect(sending).toMatchObject({ billId: first, state: 'SENDING', accountId, previousState: 'QUEUED' });
    expect(await claim()).toEqual([]);
    expect(await rows('SELECT state, send_count, sent_at, due_at, lease_until FROM push_attempt WHERE bill_id = $1', second)).toEqual(
      before,
    );

    await report(sending, { kind: 'accepted', providerReference: null });
    const [late] = await newBills(1);
    const seen: (string | undefined)[] = [];
    for (let round = 0; round < 3; round += 1) {
      const next = await claimOne();
      seen.push(next.billId);
      await report(next, { kind: 'failed', reason: 'rejected' });
    }
    expect(seen).toEqual([second, third, late]);
  });

  test('still queries the attempts that it has sent', async () => {
    await newBills(2);
    const sent = await claimOne();
    await report(sent, { kind: 'accepted', providerReference: null });
    await claimOne();
    runtime().advance(2 * SECOND_MS);
    expect(await claimOne()).toMatchObject({ id: sent.id, previousState: 'AWAITING_CUSTOMER' });
  });

  test('has capacity again after the lease of a dead worker has expired', async () => {
    const [first, second] = await newBills(2);
    await claimOne();
    runtime().advance(LEASE_MS + 1);
    expect(billsOf(await claim()).sort()).toEqual([first, second].sort());
  });

  test('does not exceed the limit when several workers claim at the same time', async () => {
    await limit(5);
    await newBills(12);
    const claimed = (await Promise.all(Array.from({ length: 6 }, () => claim()))).flat();
    expect(claimed).toHaveLength(5);
    expect(new Set(billsOf(claimed)).size).toBe(5);
  });

  test('does not delay another account when many accounts hang with long queues', async () => {
    for (let number = 0; number < 4; number += 1) await newBills(12, (await makeShop(null)).merchant);
    // Calls of an account beyond 5 are crowded. This worker can make 30 calls, at most 20 of them crowded. So it makes 4 x 5 calls that
    // are not crowded, and 10 crowded ones.
    const hanging = await claim(30, 20);
    expect(hanging).toHaveLength(30);
    expect(hanging.filter(({ crowded }) => crowded)).toHaveLength(10);
    expect((await claim(10, 10)).every(({ crowded }) => crowded)).toBe(true);
    const [healthy] = await newBills(1);
    expect(billsOf(await claim(10, 0))).toEqual([healthy]);
  });
});

test('a claim from a queue of thousands reads few rows', async () => {
  const [bill] = await newBills(1);
  await claimOne();
  await rows(
    `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
     SELECT gen_random_uuid(), $1, 'sandbox', $2, 'api', '0755' || lpad(place::text, 6, '0'), 'vodacom', 500000, upper(substr(md5(place::text), 1, 20)), 'QUEUED',
       $3::timestamptz + place * interval '1 millisecond', $3 FROM generate_series(1, 4000) place`,
    merchant.merchant.id,
    bill,
    addMs(runtime().clock(), -MINUTE_MS),
  );
  // Each claim puts a thousand attempts into the queue of their account.
  for (let round = 0; round < 4; round += 1) expect(await claim(1_000)).toEqual([]);
  await runtime().owner.query({ text: 'ANALYZE push_attempt' });
  const { db, scans } = explaining(runtime().db);
  const counted = { ...runtime().db, sqlTransaction: <Value>(work: (tx: typeof db) => Promise<Value>) => work(db) };
  const now = runtime().clock();
  await claimAttempts(counted, { now, leaseUntil: now, limit: 200 });
  const read = scans.filter(({ table }) => table === 'push_attempt');
  expect(read.length).toBeGreaterThan(0);
  for (const { kind, rows: looked } of read)
    expect([kind, looked]).toEqual([expect.not.stringMatching(/^Seq/), expect.toSatisfy((n) => n < 50)]);
  const [other] = await newBills(1, (await makeShop(null)).merchant);
  expect(billsOf(await claim(1))).toEqual([other]);
});

describe('an account whose calls are not answered', () => {
  const fail = async (kind: CallKind, times = BREAKER_FAILURES) => {
    const { db, clock } = runtime();
    for (let number = 0; number < times; number += 1)
      await recordFailure(db, { accountId, kind, now: clock(), startedAt: clock(), error: 'time-out' });
  };
  const answer = (kind: CallKind) => recordAnswer(runtime().db, { accountId, kind, now: runtime().clock(), accepted: true });
  beforeEach(async () => {
    await limit(10);
    // If the other accounts were active, one of them would send the prompts.
    await rows('UPDATE provider_account SET disabled_at = now() WHERE id <> $1 AND disabled_at IS NULL', accountId);
  });

  test('gets only one call at a time after a few failures in a row, with a pause before each, until it answers', async () => {
    await newBills(4);
    await fail('send', BREAKER_FAILURES - 1);
    expect(await claim(1)).toHaveLength(1);
    await fail('send', 1);
    expect(await claim()).toEqual([]);
    runtime().advance(6 * SECOND_MS);
    // The call for the attempt that was claimed first is still in progress.
    expect(await claim()).toEqual([]);
    await rows('UPDATE push_attempt SET call_token = NULL');
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
    await answer('send');
    expect(await claim()).toHaveLength(2);
  });

  test('gets no prompt as a probe while status queries fail as well', async () => {
    await newBills(1);
    await fail('send');
    runtime().advance(30 * SECOND_MS);
    await fail('query', 1);
    runtime().advance(30 * SECOND_MS);
    expect(await claim()).toEqual([]);
    await answer('query');
    expect(await claim()).toHaveLength(1);
  });

  test('still gets status queries while prompts fail', async () => {
    await newBills(1);
    const sent = await claimOne();
    await noteAccount(runtime().db, sent, { accountId, leaseUntil: addMs(runtime().clock(), LEASE_MS) });
    await report(sent, { kind: 'unknown' });
    await fail('send', 20);
    runtime().advance(2 * SECOND_MS);
    expect(await claimOne()).toMatchObject({ id: sent.id, previousState: 'UNKNOWN' });
  });

  test('leaves its prompts in the queue for some minutes, and then claims them as overdue', async () => {
    const [old] = await newBills(1);
    await fail('send', BREAKER_FAILURES);
    expect(await claim()).toEqual([]);
    runtime().advance(PROMPT_WAIT_MS);
    await newBills(1);
    await fail('send', 1);
    expect(await claimOne()).toMatchObject({ billId: old, state: 'QUEUED', overdue: true, unanswered: true, sendCount: 0 });
  });

  test.each(['answer_lost_at', 'claimed_paid_at'])('never claims a prompt as overdue that a provider may have: %s', async (evidence) => {
    await newBills(1);
    const sent = await claimOne();
    await noteAccount(runtime().db, sent, { accountId, leaseUntil: addMs(runtime().clock(), LEASE_MS) });
    await rows(
      `UPDATE push_attempt SET state = 'QUEUED', ${evidence} = $2, lease_until = NULL, call_token = NULL WHERE id = $1`,
      sent.id,
      runtime().clock(),
    );
    await fail('send');
    runtime().advance(PROMPT_WAIT_MS + MINUTE_MS);
    expect(await claimOne()).toMatchObject({ id: sent.id, overdue: false, state: 'SENDING', previousState: 'QUEUED' });
  });

  test('does not count a failed call that began before the last answer', async () => {
    const { db, clock } = runtime();
    const startedAt = clock();
    runtime().advance(SECOND_MS);
    await answer('send');
    await recordFailure(db, { accountId, kind: 'send', now: clock(), startedAt, error: 'time-out' });
    expect(await rows('SELECT failures FROM provider_health WHERE account_id = $1', accountId)).toEqual([{ failures: 0 }]);
  });
});

test('a prompt that no worker has claimed for minutes is overdue, whether it is in a queue or not', async () => {
  const { db } = runtime();
  const [first, second] = await newBills(2);
  await db.query({ text: 'UPDATE provider_account SET call_limit = 1 WHERE id = $1' }, [accountId]);
  expect(await claimOne()).toMatchObject({ billId: first, overdue: false });
  const [third] = await newBills(1);
  runtime().advance(PROMPT_WAIT_MS);
  await db.query({ text: 'UPDATE provider_account SET call_limit = NULL WHERE id = $1' }, [accountId]);
  const late = (await claim()).filter(({ billId }) => billId !== first);
  expect(late.map(({ billId }) => billId).toSorted()).toEqual([second, third].toSorted());
  for (const attempt of late) expect(attempt).toMatchObject({ state: 'QUEUED', overdue: true, unanswered: false, sendCount: 0 });
});

test('a prompt that was retried for minutes is overdue', async () => {
  const { db } = runtime();
  await newBills(1);
  runtime().advance(PROMPT_WAIT_MS);
  await db.query({ text: 'UPDATE push_attempt SET due_at = $1 WHERE due_at IS NOT NULL' }, [runtime().clock()]);
  expect(await claimOne()).toMatchObject({ state: 'QUEUED', overdue: true });
});

test('a prompt of an import waits longer, because its customer does not wait for it', async () => {
  const { db } = runtime();
  const bills = await newBills(2);
  await db.query({ text: `UPDATE bill_event SET data = data || '{"import":"1"}' WHERE bill_id = $1` }, [bills[1]]);
  runtime().advance(PROMPT_WAIT_MS);
  const claimed = new Map((await claim()).map(({ billId, overdue, state }) => [billId, { overdue, state }]));
  expect(bills.map((id) => claimed.get(id))).toEqual([
    { overdue: true, state: 'QUEUED' },
    { overdue: false, state: 'SENDING' },
  ]);
});

test('an attempt waits longer after each failure of work on it, but not after the death of a worker', async () => {
  await newBills(1);
  for (let deaths = 0; deaths < 5; deaths += 1) {
    await claimOne();
    runtime().advance(LEASE_MS);
  }
  const pauses: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const claimed = await claimOne();
    const { id } = claimed;
    if (round > 0) await noteWorkFailed(runtime().db, claimed);
    runtime().advance(LEASE_MS);
    let paused = 0;
    while ((await rows('SELECT 1 FROM push_attempt WHERE id = $1', id)).length > 0 && (await isResting(id))) {
      runtime().advance(30 * SECOND_MS);
      paused += 30;
    }
    pauses.push(paused);
  }
  expect(pauses).toEqual([0, 30, 90, 210]);
});

/** Tells whether a claim would skip an attempt now. To find out, it makes a claim and rolls it back. */
async function isResting(id: string): Promise<boolean> {
  const nothing = new Error('rolled back');
  let resting = true;
  const { db, clock } = runtime();
  await db
    .transaction(async (tx) => {
      const claimed = await claimAttempts({ ...db, sqlTransaction: (work) => work(tx) }, { now: clock(), leaseUntil: clock(), limit: 10 });
      resting = !claimed.some((attempt) => attempt.id === id);
      throw nothing;
    })
    .catch((error: unknown) => {
      if (error !== nothing) throw error;
    });
  return resting;
}

describe('an account with a limit of requests per minute', () => {
  beforeEach(async () => {
    await limit(1_000);
    await rows('UPDATE provider_account SET calls_per_minute = 60, calls_left = NULL WHERE id = $1', accountId);
    await rows('UPDATE provider_account SET disabled_at = now() WHERE id <> $1 AND disabled_at IS NULL', accountId);
  });

  /** Ends a claimed attempt's call, so that it is not claimed again. */
  const done = (claimed: readonly ClaimedAttempt[]) =>
    rows(
      'UPDATE push_attempt SET due_at = NULL, lease_until = NULL, call_token = NULL WHERE id = ANY ($1::uuid[])',
      claimed.map(({ id }) => id),
    );

  /** A clock that only the test moves, so that the number of calls does not depend on the speed of the machine. */
  function stoppedClock() {
    let now = runtime().clock();
    return {
      now: () => now,
      advance(ms: number) {
        now = addMs(now, ms);
      },
      claim: () => claimAttempts(runtime().db, { now, leaseUntil: addMs(now, LEASE_MS), limit: 1_000 }),
    };
  }
  const most = (times: readonly number[]) =>
    Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + 60).length));

  test('makes at most that many in any minute, however many are due, and uses nearly all of it', async () => {
    await newBills(150);
    const clock = stoppedClock();
    const times: number[] = [];
    for (let second = 0; second < 150; second += 1) {
      const claimed = await clock.claim();
      await done(claimed);
      for (const _ of claimed) times.push(second);
      clock.advance(SECOND_MS);
    }
    expect(most(times)).toBeLessThanOrEqual(60);
    expect(times.length).toBeGreaterThan(110);
    expect(times.filter((time) => time === 0)).toHaveLength(10);
  });

  test('counts only calls: overdue and interrupted prompts use nothing, and an unused budget is full after twelve seconds', async () => {
    const bills = await newBills(60);
    type Kind = 'overdue' | 'interrupted' | 'prompt' | 'query';
    const kind = fc.constantFrom<Kind>('overdue', 'interrupted', 'prompt', 'query');
    const steps = fc.array(fc.record({ due: fc.array(kind, { maxLength: 20 }), seconds: fc.integer({ min: 0, max: 9 }) }), {
      maxLength: 12,
    });
    const property = fc.asyncProperty(steps, async (history) => {
      await rows('UPDATE push_attempt SET due_at = NULL, lease_until = NULL, call_token = NULL WHERE bill_id = ANY ($1::uuid[])', bills);
      await rows('UPDATE provider_account SET calls_left = NULL WHERE id = $1', accountId);
      const clock = stoppedClock();
      const times: number[] = [];
      let second = 0;
      for (const { due, seconds } of history) {
        for (const [number, what] of due.entries()) {
          const state = { overdue: 'QUEUED', prompt: 'QUEUED', interrupted: 'SENDING', query: 'AWAITING_CUSTOMER' }[what];
          const at = what === 'overdue' ? addMs(clock.now(), -PROMPT_WAIT_MS) : clock.now();
          await rows(
            `UPDATE push_attempt SET state = $2::attempt_state, due_at = $3, created_at = $3, provider_account_id = $4, call_account_id = $4,
               lease_until = NULL, call_token = NULL, answer_lost_at = NULL WHERE bill_id = $1`,
            bills[number],
            state,
            at,
            accountId,
          );
        }
        const claimed = await clock.claim();
        await done(claimed);
        const calls = claimed.filter(({ overdue, previousState }) => !overdue && previousState !== 'SENDING');
        for (const _ of calls) times.push(second);
        second += seconds;
        clock.advance(seconds * SECOND_MS);
      }
      clock.advance(12 * SECOND_MS);
      await rows(
        `UPDATE push_attempt SET state = 'QUEUED', due_at = $2, created_at = $2, call_account_id = $3, provider_account_id = $3
         WHERE bill_id = ANY ($1::uuid[])`,
        bills,
        clock.now(),
        accountId,
      );
      const after = await clock.claim();
      await done(after);
      for (const _ of after) times.push(second + 12);
      expect(after).toHaveLength(10);
      expect(most(times)).toBeLessThanOrEqual(60);
    });
    await fc.assert(property, { numRuns: 25, examples: [[[{ due: Array.from({ length: 20 }, () => 'overdue' as const), seconds: 0 }]]] });
  });

  test('sends new prompts before status queries, which get a quarter while prompts wait', async () => {
    const asked = await newBills(40);
    await rows(
      "UPDATE push_attempt SET state = 'AWAITING_CUSTOMER', provider_account_id = $2, call_account_id = $2 WHERE bill_id = ANY ($1::uuid[])",
      asked,
      accountId,
    );
    await newBills(40);
    const claimed = await claim();
    const sends = claimed.filter(({ previousState }) => previousState === 'QUEUED');
    expect([sends.length, claimed.length]).toEqual([8, 10]);
  });

  test('gives all of it to status queries if no prompt waits', async () => {
    const asked = await newBills(40);
    await rows(
      "UPDATE push_attempt SET state = 'AWAITING_CUSTOMER', provider_account_id = $2, call_account_id = $2 WHERE bill_id = ANY ($1::uuid[])",
      asked,
      accountId,
    );
    const clock = stoppedClock();
    expect(await clock.claim()).toHaveLength(10);
    expect(await clock.claim()).toEqual([]);
  });
});

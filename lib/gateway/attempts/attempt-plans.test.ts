import { beforeAll, expect, test } from 'vitest';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { makeAccount, makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { type ClaimedAttempt, claimAttempts } from './claim-attempts';
import { LEASE_MS } from './hold-lease';
import { noteAccount } from './lease-store';
import { makeQueryDue } from './unsigned-callback';

// PostgreSQL reuses the plans of prepared statements. A plan that was made while few attempts were open must still be fast when many are
// open. So these statements must use no index that has an entry for each open attempt. The only exception is the index of the queue,
// because a claim reads only the beginning of that index.

const runtime = testRuntime();
let accountId: string;
let claimed: ClaimedAttempt;

beforeAll(async () => {
  const { db, clock } = runtime();
  const shop = await makeMerchant(runtime());
  ({ id: accountId } = await makeAccount(runtime(), { provider: 'mpesa', credentials: '{}', callbackUrl: '' }));
  await db.query({ text: "UPDATE provider_account SET networks = '{vodacom}' WHERE id = $1" }, [accountId]);
  const bill = await makeBill(runtime(), shop);
  await db.query(
    {
      text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, created_at, settled_at)
             SELECT gen_random_uuid(), $1, 'sandbox', $2, 'api', '0755' || lpad(place::text, 6, '0'), 'vodacom', 500000,
               upper(substr(md5(place::text), 1, 20)), 'SUCCEEDED', $3, $3 FROM generate_series(1, 4000) place`,
    },
    [shop.merchant.id, bill, clock()],
  );
  await runtime().owner.query({ text: 'ANALYZE push_attempt' });
  await makeBill(runtime(), shop, { mobile: '0754000001' });
  await makeBill(runtime(), shop, { mobile: '0754000002' });
  const [one] = await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit: 1 });
  if (!one) throw new Error('no attempt was claimed');
  claimed = one;
});

/** Returns the indexes of attempts that the statements of a store function use. */
async function indexesOf(work: (db: ReturnType<typeof explained>['db']) => Promise<unknown>): Promise<string[]> {
  const { db, indexes } = explained();
  await work(db);
  return [...indexes].filter((name) => name.startsWith('push_attempt')).toSorted();
}

function explained() {
  const { db, indexes } = explaining(runtime().db);
  const counted = { ...runtime().db, ...db, sqlTransaction: <Value>(work: (tx: typeof db) => Promise<Value>) => work(db) };
  return { db: counted, indexes };
}

test('the account of an attempt is stored by the id of the attempt', async () => {
  const leaseUntil = addMs(runtime().clock(), MINUTE_MS);
  expect(await indexesOf((db) => noteAccount(db, claimed, { accountId, leaseUntil }))).toEqual(['push_attempt_pkey']);
});

test('a hint makes the query of its attempt due by the id of the attempt', async () => {
  const hint = { now: runtime().clock(), claimsPaid: true };
  expect(await indexesOf((db) => makeQueryDue(db, claimed.id, hint))).toEqual(['push_attempt_pkey']);
});

test('a claim reads no index of all open attempts', async () => {
  const now = addMs(runtime().clock(), SECOND_MS);
  const used = await indexesOf((db) => claimAttempts(db, { now, leaseUntil: now, limit: 200 }));
  expect(used).toContain('push_attempt_pkey');
  expect(used).not.toContain('push_attempt_prompts');
});

import { expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { REFUSAL_CLASSES, refusalClass } from '@/lib/providers/accounts/health-rules';
import { recordRefusal } from '@/lib/providers/accounts/health-store';
import { FAILURE_REASONS } from '@/lib/providers/port/outcome';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { describeAccount, listAccountViews } from './account-view';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);

async function sandboxAccount() {
  const account = (await listAccountViews(runtime())).find(({ provider }) => provider === 'sandbox');
  if (!account) throw new Error('the migrations make the sandbox account');
  return account;
}

async function settle(mobile: string): Promise<void> {
  const billId = await makeBill(runtime(), await makeMerchant(runtime()), { mobile });
  await sandbox.settle(billId);
}

test('the list says what happened through an account in the last minutes, and what its history does not contain', async () => {
  const unused = await sandboxAccount();
  expect(unused.recent).toEqual({
    minutes: 15,
    calls: 0,
    answered: 0,
    callbacks: 0,
    medianMs: null,
    p95Ms: null,
    ended: 0,
    paid: 0,
    medianTruthMs: null,
    p95TruthMs: null,
    refusals: [],
  });
  expect(describeAccount(unused)).toEqual([
    expect.stringMatching(/ {2}active \(not called yet\)$/),
    '  unproven: its history does not contain a payment reported by callback, a payment found by status query alone, a refusal, a settled unknown outcome',
  ]);

  await settle('0754001007');
  await settle('0754002003');
  await settle('0754003003');
  await settle('0754004006');
  await settle('0754005010');
  const { recent } = await sandboxAccount();
  expect(recent).toMatchObject({ ended: 5, paid: 2, medianMs: expect.any(Number), p95Ms: expect.any(Number) });
  // One answer was lost.
  expect(recent?.answered).toBe((recent?.calls ?? 0) - 1);
  expect(recent?.medianTruthMs).toBeGreaterThan(1_000);
  expect(recent?.refusals).toEqual([
    { class: 'customer', count: 2, reasons: [{ reason: 'wrong_pin', count: 2 }] },
    { class: 'request', count: 1, reasons: [{ reason: 'mobile_not_registered', count: 1 }] },
  ]);

  const { db, clock } = runtime();
  await db.query({ text: "UPDATE provider_message SET took_ms = CASE WHEN lost IS NULL THEN 250 ELSE 30000 END WHERE kind <> 'callback'" });
  await db.query({ text: "UPDATE push_attempt SET sent_at = settled_at - interval '21.5 seconds' WHERE settled_at <= $1" }, [clock()]);
  const described = describeAccount(await sandboxAccount());
  expect(described[1]).toMatch(/^ {2}last 15 min: calls \d+, answered \d+, 0\.25 s \(95%: \d+(\.\d+)? s\); callbacks 0$/);
  expect(described.slice(2)).toEqual([
    '  outcomes 5, paid 2; from prompt to outcome 22 s (95%: 22 s)',
    '  refusals: customer 2 (wrong_pin 2); request 1 (mobile_not_registered 1)',
    '  unproven: its history does not contain a payment reported by callback',
  ]);

  runtime().advance(16 * MINUTE_MS);
  expect(describeAccount(await sandboxAccount())).toEqual([
    expect.stringMatching(/ {2}active \(/),
    '  unproven: its history does not contain a payment reported by callback',
  ]);
});

test('a suspended account says so before it counts as down', async () => {
  const { id } = await sandboxAccount();
  await runtime().db.query(
    { text: "INSERT INTO provider_health (account_id, kind, failures, last_error) VALUES ($1, 'send', 5, 'ECONNRESET')" },
    [id],
  );
  expect(describeAccount(await sandboxAccount())[0]).toMatch(/ {2}suspended: 5 calls in a row failed \(ECONNRESET; not called yet\)$/);
});

test('an account that refused its owner is suspended for a while', async () => {
  const { id } = await sandboxAccount();
  await runtime().db.query({ text: 'DELETE FROM provider_health' });
  await recordRefusal(runtime().db, id, runtime().clock());
  expect(describeAccount(await sandboxAccount())[0]).toMatch(
    / {2}suspended until 2\S+Z: the provider has refused 1 payment requests in a row/,
  );
  runtime().advance(2 * MINUTE_MS);
  expect(describeAccount(await sandboxAccount())[0]).toMatch(
    / {2}active \(the provider has refused 1 payment requests in a row.*; not called yet\)$/,
  );
});

test('a reason that this version does not know counts as a refusal by the provider', () => {
  expect(refusalClass('later_version')).toBe('provider');
  expect(FAILURE_REASONS.every((reason) => REFUSAL_CLASSES.includes(refusalClass(reason)))).toBe(true);
});

import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type ClaimedAttempt, claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/gateway/attempts/hold-lease';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { addMs } from '@/lib/platform/core/clock';
import { addAccount } from '@/lib/providers/accounts/manage-account';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { createRegistry } from '@/lib/providers/registry';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { listAttempts } from './store';

const runtime = testRuntime();
/** The simulator rejects this number with INS-2051 and stores no record of it. */
const NO_CUSTOMER = '0754000006';

const worker = () => ({ ...runtime(), providers: createRegistry(runtime(), null), heartbeatMs: 10 });
const rows = (text: string, ...values: readonly unknown[]) => runtime().db.query({ text }, values);

let simulator: MpesaSimulator;
let merchant: TestMerchant;
beforeAll(async () => {
  const { clock, random } = runtime();
  simulator = await startMpesaSimulator({
    clock,
    random,
    mode: 'async',
    callbackUrl: 'http://127.0.0.1:9/',
    delayFactor: 0.01,
    keyBits: 2048,
  });
  merchant = await makeMerchant(runtime());
  const added = await addAccount(worker(), {
    provider: 'mpesa',
    environment: 'sandbox',
    merchantId: merchant.merchant.id,
    label: 'Till',
    networks: null,
    credentials: JSON.stringify(simulator.credentials),
    actor: TEST_OPERATOR,
  });
  if (!added.ok) throw new Error(added.error.join(' '));
});
afterAll(() => simulator.stop());
beforeEach(() => rows('UPDATE push_attempt SET due_at = NULL'));

async function claimOne(): Promise<{ billId: string; attempt: ClaimedAttempt }> {
  const billId = await makeBill(runtime(), merchant, { mobile: NO_CUSTOMER });
  const { db, clock } = runtime();
  const [attempt] = await claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit: 1 });
  if (!attempt) throw new Error('the attempt was not due');
  return { billId, attempt };
}

const endedSchema = z.array(z.object({ pid: z.number(), ended: z.literal(true) })).min(1);
/** The connections that were terminated. For a moment, the server lists them as waiting. */
const terminated: number[] = [];

/** Terminates the database connection that waits for a lock which the test holds. */
async function cutWaiting(): Promise<void> {
  const end = `SELECT pid, pg_terminate_backend(pid) AS ended FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> ALL ($1::int[])`;
  const ended = await vi.waitFor(async () => endedSchema.parse(await rows(end, terminated)), { timeout: 60_000, interval: 5 });
  terminated.push(...ended.map(({ pid }) => pid));
}

test.each([
  { what: 'stored', lock: () => 'LOCK TABLE provider_message IN EXCLUSIVE MODE' },
  { what: 'applied', lock: (billId: string) => `SELECT 1 FROM bill WHERE id = '${billId}' FOR UPDATE` },
])('a refusal that could not be $what at once still fails the attempt', async ({ lock }) => {
  const { billId, attempt } = await claimOne();
  const working = await runtime().db.transaction(async (tx) => {
    await tx.query({ text: lock(billId) });
    const task = workAttempt(worker(), attempt, new AbortController().signal);
    await cutWaiting();
    await cutWaiting();
    return { task };
  });
  await working.task;
  expect(await listAttempts(runtime().db, billId)).toMatchObject([
    { state: 'FAILED', failureReason: 'mobile_not_registered', leaseToken: 1 },
  ]);
  expect(
    await rows('SELECT count(*)::int AS n FROM provider_message WHERE attempt_id = $1 AND handled_at IS NOT NULL', attempt.id),
  ).toEqual([{ n: 1 }]);
});

test('an answer that cannot be stored is abandoned when the worker stops, after one last write', async () => {
  const { billId, attempt } = await claimOne();
  const stopping = new AbortController();
  await runtime().db.transaction(async (tx) => {
    await tx.query({ text: 'LOCK TABLE provider_message IN EXCLUSIVE MODE' });
    const failed = expect(workAttempt(worker(), attempt, stopping.signal)).rejects.toThrow(/terminat/);
    await cutWaiting();
    stopping.abort();
    await cutWaiting();
    await failed;
  });
  expect(await listAttempts(runtime().db, billId)).toMatchObject([{ state: 'SENDING' }]);
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Pump, startPump } from '@/lib/entry/worker/pump';
import { type ClaimedAttempt, claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/gateway/attempts/hold-lease';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { showPayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { addMs, HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { addAccount } from '@/lib/providers/accounts/manage-account';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { createRegistry } from '@/lib/providers/registry';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { listAttempts } from './store';

const runtime = testRuntime();
const HEARTBEAT_MS = 10;
/** The simulated customer with this number answers the prompt after 150 seconds. */
const SLOW_CUSTOMER = '0754000021';

let simulator: MpesaSimulator;
let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant(runtime());
  await runtime().db.query({ text: 'UPDATE push_attempt SET due_at = NULL' });
});
afterEach(() => simulator.stop());

/** Starts a provider that answers only when the customer has answered, and gives the merchant an account there. */
async function startPlatform({ delayFactor, callsAtOnce = 50 }: { delayFactor: number; callsAtOnce?: number }): Promise<void> {
  simulator = await startMpesaSimulator({ ...runtime(), mode: 'sync', delayFactor, keyBits: 2048 });
  const added = await addAccount(newWorker(), {
    provider: 'mpesa',
    environment: 'sandbox',
    merchantId: merchant.merchant.id,
    label: 'Till',
    networks: null,
    credentials: JSON.stringify({ ...simulator.credentials, callsAtOnce }),
    actor: TEST_OPERATOR,
  });
  if (!added.ok) throw new Error(added.error.join(' '));
}

/** Returns the runtime of another worker. Like separate processes, these workers share only the database. */
const newWorker = (heartbeatMs = HEARTBEAT_MS) => ({ ...runtime(), providers: createRegistry(runtime(), null), heartbeatMs });

const claim = (limit = 100) => {
  const { db, clock } = runtime();
  return claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit });
};

async function onlyClaimed(): Promise<ClaimedAttempt> {
  const [attempt, ...others] = await claim();
  if (!attempt || others.length > 0) throw new Error('not exactly one attempt was due');
  return attempt;
}

/** Starts to send a bill's prompt, and returns when the provider has the request. */
async function startCall(mobile: string, heartbeatMs?: number) {
  const billId = await makeBill(runtime(), merchant, { mobile });
  const attempt = await onlyClaimed();
  const stopping = new AbortController();
  const working = workAttempt(newWorker(heartbeatMs), attempt, stopping.signal);
  await expect.poll(() => simulator.transactions.length).toBe(1);
  return { billId, attempt, working, stopping };
}

const attemptOf = async (billId: string) => (await listAttempts(runtime().db, billId))[0];
const rows = (text: string, ...values: readonly unknown[]) => runtime().db.query({ text }, values);

async function expectPaidOnce(billId: string): Promise<void> {
  expect(await attemptOf(billId)).toMatchObject({ state: 'SUCCEEDED', sendCount: 1 });
  expect(
    await rows(
      'SELECT provider_transaction_id AS receipt FROM payment p JOIN push_attempt a ON a.id = p.attempt_id WHERE a.bill_id = $1',
      billId,
    ),
  ).toEqual([{ receipt: simulator.transactions[0]?.transactionId }]);
  expect(simulator.transactions).toHaveLength(1);
}

/** Lets another worker do the due work until the bill's attempt is settled. */
async function settleElsewhere(billId: string): Promise<void> {
  const other = newWorker();
  for (let round = 0; round < 30; round += 1) {
    for (const attempt of await claim()) await workAttempt(other, attempt, new AbortController().signal);
    if ((await attemptOf(billId))?.state === 'SUCCEEDED') return;
    runtime().advance(20 * SECOND_MS);
  }
}

describe('a call that lasts until the customer answers', () => {
  test('keeps its lease by a heartbeat, so that no other worker claims it and it is paid once', async () => {
    await startPlatform({ delayFactor: 0.01 });
    const { billId, attempt, working } = await startCall(SLOW_CUSTOMER);
    for (let round = 0; round < 6; round += 1) {
      runtime().advance(LEASE_MS - 5 * SECOND_MS);
      const renewedFrom = addMs(runtime().clock(), LEASE_MS - SECOND_MS);
      await expect
        .poll(() => rows('SELECT 1 FROM push_attempt WHERE id = $1 AND lease_until > $2', attempt.id, renewedFrom))
        .toHaveLength(1);
      expect(await claim()).toEqual([]);
    }
    expect(await showPayPage(runtime(), 'sandbox', billId)).toMatchObject({ state: { kind: 'prompted', attempt: { state: 'SENDING' } } });
    await working;
    await expectPaidOnce(billId);
  });

  test('is claimed by another worker when its worker has died, and is queried, not sent again', async () => {
    await startPlatform({ delayFactor: 1 });
    const { billId, working, stopping } = await startCall(SLOW_CUSTOMER, HOUR_MS);
    runtime().advance(LEASE_MS + 1);
    expect(await onlyClaimed()).toMatchObject({ previousState: 'SENDING', sendCount: 1 });
    runtime().advance(LEASE_MS + 1);
    await settleElsewhere(billId);
    await expectPaidOnce(billId);
    stopping.abort();
    await working;
    await expectPaidOnce(billId);
  });

  test('is aborted when another worker has the lease, and its result is stored', async () => {
    await startPlatform({ delayFactor: 1 });
    const { billId, attempt, working } = await startCall(SLOW_CUSTOMER);
    await rows('UPDATE push_attempt SET lease_token = lease_token + 1 WHERE id = $1', attempt.id);
    await working;
    expect(await rows('SELECT kind, http_status FROM provider_message WHERE attempt_id = $1', attempt.id)).toEqual([
      { kind: 'answer', http_status: null },
    ]);
    expect(await attemptOf(billId)).toMatchObject({ state: 'UNKNOWN', leaseToken: attempt.leaseToken + 1 });
  });

  test('continues while the lease cannot be renewed', async () => {
    await startPlatform({ delayFactor: 0.01 });
    const warned = vi.spyOn(runtime().log, 'warn');
    const { billId, working } = await startCall(SLOW_CUSTOMER);
    const { owner } = runtime();
    await owner.query({ text: 'ALTER TABLE push_attempt RENAME TO gone' });
    await expect.poll(() => warned.mock.calls.length).toBeGreaterThan(2);
    await owner.query({ text: 'ALTER TABLE gone RENAME TO push_attempt' });
    await working;
    await expectPaidOnce(billId);
  });

  test('becomes UNKNOWN when its worker stops, and is settled by another worker', async () => {
    await startPlatform({ delayFactor: 1 });
    const billId = await makeBill(runtime(), merchant, { mobile: SLOW_CUSTOMER });
    const pump = startWorkerPump();
    await expect.poll(() => simulator.transactions.length).toBe(1);
    await pump.stop();
    expect((await attemptOf(billId))?.state).toBe('UNKNOWN');
    await settleElsewhere(billId);
    await expectPaidOnce(billId);
  });
});

test('two workers together do not exceed the parallel calls of an account, and have capacity for other accounts', async () => {
  const held = 200;
  await startPlatform({ delayFactor: held / 1_000, callsAtOnce: 3 });
  const bills: string[] = [];
  for (let number = 0; number < 10; number += 1) bills.push(await makeBill(runtime(), merchant, { mobile: '0754000001' }));
  const elsewhere = await makeBill(runtime(), merchant, { mobile: '0754000001' });
  await rows("UPDATE push_attempt SET network = 'elsewhere' WHERE bill_id = $1", elsewhere);

  const pumps = [startWorkerPump(), startWorkerPump()];
  await expect.poll(async () => (await attemptOf(elsewhere))?.state).toBe('FAILED');
  await expect
    .poll(
      async () => {
        runtime().advance(SECOND_MS);
        const states = await Promise.all(bills.map(async (billId) => (await attemptOf(billId))?.state));
        return states.filter((state) => state === 'SUCCEEDED').length;
      },
      { interval: 100 },
    )
    .toBe(10);
  await Promise.all(pumps.map((pump) => pump.stop()));
  expect(await rows('SELECT DISTINCT send_count FROM push_attempt WHERE bill_id = ANY ($1)', bills)).toEqual([{ send_count: 1 }]);
  expect(simulator.transactions).toHaveLength(10);
  expect(simulator.mostHeld()).toBe(3);
});

/** The loop of a worker. When it stops, it does not wait for calls in progress. */
function startWorkerPump(): Pump {
  const worker = newWorker();
  return startPump({
    name: 'attempts',
    concurrency: 4,
    idleMs: 10,
    graceMs: 0,
    log: worker.log,
    claim,
    work: (attempt, signal) => workAttempt(worker, attempt, signal),
  });
}

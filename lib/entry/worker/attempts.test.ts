import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAttempts } from '@/lib/gateway/payments/store';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { addAccount } from '@/lib/providers/accounts/manage-account';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { createRegistry } from '@/lib/providers/registry';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, testRuntime } from '@/testing/runtime';
import { startAttempts } from './jobs';
import type { Pump } from './pump';

const runtime = testRuntime();
const AT_ONCE = 16;
/**
 * Replaces the worker's limit of crowded attempts, which are calls of an account beyond its first five. So the two accounts whose provider
 * hangs have at most 13 calls at once: five each, and three more together.
 */
const CROWDED_AT_ONCE = 3;
const PAID = '0754000001';

const simulators: MpesaSimulator[] = [];
const workers: Pump[] = [];
beforeEach(() => runtime().db.query({ text: 'UPDATE push_attempt SET due_at = NULL' }));
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await Promise.all(simulators.splice(0).map((simulator) => simulator.stop()));
});

/** Creates a merchant with its own account at its own simulated provider. */
async function makeShop(mode: 'sync' | 'async'): Promise<{ merchant: TestMerchant; simulator: MpesaSimulator }> {
  const simulator = await startMpesaSimulator({ ...runtime(), mode, delayFactor: 0.01, keyBits: 2048 });
  simulators.push(simulator);
  const merchant = await makeMerchant(runtime());
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
  return { merchant, simulator };
}

/** Renews leases often, because the clock is moved while calls hang. */
const worker = () => ({ ...runtime(), providers: createRegistry(runtime(), null), heartbeatMs: 20 });

function startWorker(): void {
  const options = { log: runtime().log, name: 'attempts', idleMs: 10, graceMs: 0, concurrency: AT_ONCE, crowdedAtOnce: CROWDED_AT_ONCE };
  workers.push(startAttempts(worker(), options));
}

const stateOf = async (billId: string) => (await listAttempts(runtime().db, billId))[0]?.state;
async function statesOf(bills: readonly string[]): Promise<Record<string, number>> {
  const states = await Promise.all(bills.map(stateOf));
  return Object.fromEntries([...Map.groupBy(states, (state) => state ?? '')].map(([state, { length }]) => [state, length]));
}

async function newBills(merchant: TestMerchant, count: number): Promise<string[]> {
  const bills: string[] = [];
  for (let number = 0; number < count; number += 1) bills.push(await makeBill(runtime(), merchant, { mobile: PAID }));
  return bills;
}

const pollSlowly = { interval: 50 };

describe.each(['sync', 'async'] as const)('next to accounts whose provider hangs, in %s mode', (mode) => {
  test("a healthy account's attempts are sent and queried", async () => {
    const healthy = await makeShop(mode);
    const hanging = [await makeShop(mode), await makeShop(mode)];
    for (const { simulator } of hanging) simulator.control({ hangs: true });
    const stuck = (await Promise.all(hanging.map(({ merchant }) => newBills(merchant, 20)))).flat();
    startWorker();
    await expect.poll(() => statesOf(stuck), pollSlowly).toEqual({ SENDING: 13, QUEUED: 27 });

    const bills = await newBills(healthy.merchant, 8);
    await expect
      .poll(async () => {
        runtime().advance(SECOND_MS / 2);
        return (await statesOf(bills)).SUCCEEDED;
      }, pollSlowly)
      .toBe(8);
    expect(await statesOf(stuck)).toEqual({ SENDING: 13, QUEUED: 27 });
  });
});

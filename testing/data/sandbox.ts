import { afterAll, beforeAll } from 'vitest';
import type { WorkerRuntime } from '@/lib/gateway/attempts/call-provider';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { claimInstruments } from '@/lib/gateway/instruments/store';
import { workInstrument } from '@/lib/gateway/instruments/work-instrument';
import { listAttempts } from '@/lib/gateway/payments/store';
import { claimRefunds } from '@/lib/gateway/refund-states/store';
import { workRefund } from '@/lib/gateway/refunds/work-refund';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Queryable } from '@/lib/platform/db/database';
import { createRegistry } from '@/lib/providers/registry';
import { type Simulator, startSimulator } from '@/lib/providers/sandbox/simulator';
import type { TestRuntime } from '../runtime';

/** A worker and a simulated provider that the test runs step by step with its own clock. The provider's callbacks are lost. */
export interface Sandbox {
  runtime(): WorkerRuntime & TestRuntime;
  /** Does everything that is due now. */
  step(): Promise<void>;
  /** Repeats steps and moves the clock until no attempt or reversal of the bill is due. Throws if that takes more than 40 steps. */
  settle(billId: string): Promise<void>;
}

/** Makes the simulated provider reverse a payment by itself. A callback about the reversal is due. */
export async function reverseAtProvider(db: Queryable, ourReference: string, now: Date): Promise<void> {
  await db.query(
    {
      text: `INSERT INTO sandbox_step (reference, number, status, announced, due_at)
             SELECT reference, max(number) + 1, 'REVERSED', true, $2 FROM sandbox_step WHERE reference = $1 GROUP BY reference`,
    },
    [ourReference, now],
  );
}

/** @param runtime must have a SANDBOX_BASE_URL at which nobody listens. */
export function testSandbox(runtime: () => TestRuntime): Sandbox {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator({ ...runtime(), callbackKey: runtime().secrets.key('sandbox-provider') });
  });
  afterAll(() => simulator.stop());
  const worker = () => ({ ...runtime(), providers: createRegistry(runtime(), simulator.url) });

  async function step(): Promise<void> {
    const { db, clock } = runtime();
    const lease = { now: clock(), leaseUntil: addMs(clock(), MINUTE_MS), limit: 100 };
    const { signal } = new AbortController();
    for (const attempt of await claimAttempts(db, lease)) await workAttempt(worker(), attempt, signal);
    for (const instrument of await claimInstruments(db, lease)) await workInstrument(worker(), instrument, signal);
    for (const request of await claimRefunds(db, lease)) await workRefund(worker(), request, signal);
  }

  return {
    runtime: worker,
    step,
    async settle(billId) {
      for (let round = 0; round < 40; round += 1) {
        await step();
        const [open] = await runtime().db.query(
          {
            text: `SELECT 1 FROM push_attempt WHERE bill_id = $1 AND due_at IS NOT NULL AND state NOT IN ('FAILED', 'EXPIRED')
                   UNION ALL SELECT 1 FROM refund r JOIN payment_allocation a ON a.payment_id = r.payment_id WHERE a.bill_id = $1 AND r.due_at IS NOT NULL`,
          },
          [billId],
        );
        if (!open) return;
        runtime().advance(6 * SECOND_MS);
      }
      throw new Error(`bill ${billId} did not settle: ${(await listAttempts(runtime().db, billId)).map(({ state }) => state).join(', ')}`);
    },
  };
}

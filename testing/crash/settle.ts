import { expect, vi } from 'vitest';
import type { Death } from './cases';
import { expectNothingHalfDone } from './invariants';
import { hasDied, type World } from './world';

const LEASED = ['push_attempt', 'instrument', 'refund', 'webhook_delivery', 'sandbox_step'];

/** Ends all leases, as time would. Only use it when the workers that held them are dead. */
export async function endLeases({ runtime: { db } }: World): Promise<void> {
  for (const table of LEASED) await db.query({ text: `UPDATE ${table} SET lease_until = now() WHERE lease_until > now()` });
}

/** Starts a worker that dies at a fail point, and checks what it has left behind. */
export async function killWorker(world: World, death: Death): Promise<void> {
  await hasDied(await world.start('worker', death), death);
  await endLeases(world);
  await expectNothingHalfDone(world);
}

/**
 * Counts what processes still have to do, by kind. Attempts under review do not count.
 * @param callbacks whether to count the callbacks that the simulated provider has not sent yet. They stay if no web process receives them.
 */
async function todo({ runtime: { db } }: World, callbacks: boolean): Promise<Record<string, number>> {
  const [open] = await db.query<Record<string, number>>(
    {
      text: `SELECT (SELECT count(*)::int FROM push_attempt a WHERE state IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN')
                 AND NOT EXISTS (SELECT 1 FROM review r WHERE r.kind = 'attempt_unresolved' AND r.attempt_id = a.id AND r.resolved_at IS NULL)) AS attempts,
               (SELECT count(*)::int FROM refund WHERE state IN ('QUEUED', 'SENDING', 'UNKNOWN') AND due_at IS NOT NULL) AS reversals,
               (SELECT count(*)::int FROM instrument WHERE due_at <= now() OR state IN ('ASKED', 'SENDING', 'UNKNOWN')) AS instruments,
               (SELECT count(*)::int FROM webhook_delivery WHERE state IN ('PENDING', 'SENDING', 'BLOCKED')) AS deliveries,
               (SELECT count(*)::int FROM provider_message WHERE handled_at IS NULL) AS messages,
               (SELECT count(*)::int FROM sandbox_step WHERE done_at IS NULL AND $1) AS callbacks`,
    },
    [callbacks],
  );
  return open ?? {};
}

/** Makes retries of attempts and stored messages due at once, because these tests are not about time. */
export async function hasten({ runtime: { db } }: World): Promise<void> {
  await db.query({ text: 'UPDATE provider_message SET due_at = now() WHERE handled_at IS NULL AND due_at > now()' });
  await db.query({ text: "UPDATE push_attempt SET due_at = now() WHERE state = 'QUEUED' AND due_at > now()" });
}

/** Waits until the running processes have nothing left to do. */
export async function drain(world: World, { callbacks }: { callbacks: boolean }): Promise<void> {
  const nothing = { attempts: 0, reversals: 0, instruments: 0, deliveries: 0, messages: 0, callbacks: 0 };
  const look = async () => {
    await hasten(world);
    expect(await todo(world, callbacks)).toEqual(nothing);
  };
  await vi.waitFor(look, { timeout: 60_000, interval: 30 });
}

import { operatorAccess } from '@/lib/accounts/access/grant-access';
import { systemActor } from '@/lib/core/actor';
import type { Runtime } from '@/lib/runtime/runtime';
import { closeExpiredBill } from './close-bill';
import { listExpired } from './expired-store';

/** The number of bills that are closed before a worker looks for other work. */
const BATCH = 100;

/**
 * Closes bills that have expired. A bill with an open attempt is closed when the attempt has ended, because the customer may still
 * approve it. Returns whether there may be more.
 */
export async function closeExpired(runtime: Pick<Runtime, 'db' | 'clock' | 'random'>): Promise<boolean> {
  const expired = await listExpired(runtime.db, runtime.clock(), BATCH);
  let closed = 0;
  for (const { id, ...scope } of expired) {
    const result = await closeExpiredBill(runtime, operatorAccess(systemActor('worker'), scope), id);
    if (result.ok) closed += 1;
  }
  return closed === BATCH;
}

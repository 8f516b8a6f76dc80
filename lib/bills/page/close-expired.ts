import { operatorAccess } from '@/lib/accounts/access/grant-access';
import { systemActor } from '@/lib/core/actor';
import type { Runtime } from '@/lib/runtime/runtime';
import { closeExpiredBill } from './close-bill';
import { listExpired } from './expired-store';

/** The maximum number of bills that a worker closes before it looks for other work. */
const BATCH = 100;

/**
 * Closes bills that have expired. A bill with an open attempt is not closed until the attempt has ended, because the customer may still
 * approve it. Returns true if it closed a full batch: then call it again, because more bills may have expired.
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

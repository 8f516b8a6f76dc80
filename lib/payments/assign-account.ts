import type { Runtime } from '@/lib/config/runtime';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { LEASE_MS } from './hold-lease';
import { countConnections, lockConnections, noteAccount, putBack } from './lease-store';
import type { Attempt } from './rules';

/** In the best case every customer answers this fast, and one of the account's connections comes free so often. */
const QUICK_CALL_MS = 5 * SECOND_MS;
const SHORTEST_WAIT_MS = SECOND_MS;
/** Not longer, for the account may have been given more connections meanwhile. */
const LONGEST_WAIT_MS = 5 * MINUTE_MS;

interface Wanted {
  readonly accountId: string;
  /** How many calls the account may have under way, of all workers together; null for any number. */
  readonly callsAtOnce: number | null;
}

/**
 * Notes which account an attempt is sent through, before it is, and holds the lease for the call. Where all of the account's
 * connections are taken, or are due to attempts that wait for longer, the attempt goes back to its place in the queue.
 * @returns whether it may be sent: not when another worker has it (`lost`), and not yet when it has to wait (`full`).
 */
export async function assignAccount(
  { db, clock, random }: Pick<Runtime, 'db' | 'clock' | 'random'>,
  attempt: Attempt,
  { accountId, callsAtOnce }: Wanted,
): Promise<'assigned' | 'lost' | 'full'> {
  if (callsAtOnce === null) {
    const ours = await noteAccount(db, attempt, { accountId, counted: false, leaseUntil: addMs(clock(), LEASE_MS) });
    return ours ? 'assigned' : 'lost';
  }
  return db.transaction(async (tx) => {
    await lockConnections(tx, accountId);
    const now = clock();
    const limit = Math.ceil((callsAtOnce * LONGEST_WAIT_MS) / QUICK_CALL_MS);
    const { taken, ahead } = await countConnections(tx, attempt, { accountId, now, limit });
    if (taken + ahead < callsAtOnce) {
      const ours = await noteAccount(tx, attempt, { accountId, counted: true, leaseUntil: addMs(now, LEASE_MS) });
      return ours ? 'assigned' : 'lost';
    }
    const restMs = connectionWaitMs(ahead, callsAtOnce, (random(1)[0] ?? 0) / 255);
    return (await putBack(tx, attempt, accountId, addMs(now, restMs))) ? 'full' : 'lost';
  });
}

/**
 * Pure. @returns how long an attempt rests before it asks for a connection again, milliseconds: until its turn can come at the
 *   earliest. So the first of a line ask often and the others rarely, and a line of thousands leaves the workers to others.
 * @param chance from 0 to 1: spreads those far back, which may all have come at once.
 */
export function connectionWaitMs(ahead: number, callsAtOnce: number, chance: number): number {
  const turnMs = Math.max((ahead / callsAtOnce) * QUICK_CALL_MS, SHORTEST_WAIT_MS);
  return turnMs < LONGEST_WAIT_MS ? turnMs : LONGEST_WAIT_MS * (1 - chance / 2);
}

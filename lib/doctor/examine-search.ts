import { countUnindexed } from '@/lib/bills/search/source-store';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';

/**
 * Only rows older than this are reported. Workers write search entries within seconds, but need longer after an update from a version
 * without entries.
 */
const BEHIND_MS = 5 * MINUTE_MS;
/** Maximum number of rows of each table that are counted. */
const MAX_COUNT = 1_000_000;

const ROWS = { bill: 'bills', attempt: 'payment requests', allocation: 'payments' } as const;

/** Checks how far the job that writes search entries is behind. A delay is only a note, because searches for complete values work. */
export async function examineSearch({ db, clock }: Runtime): Promise<Finding> {
  const sources = await countUnindexed(db, { until: lowestId(addMs(clock(), -BEHIND_MS).getTime()), limit: MAX_COUNT + 1 });
  const details = sources.flatMap(({ source, count, since }) => {
    if (since === null) return [];
    const number = count > MAX_COUNT ? `more than ${MAX_COUNT}` : count;
    return [`${ROWS[source]} that are not found by a part of their texts yet: ${number}, the oldest from ${since.toISOString()}`];
  });
  const text =
    details.length > 0 ? 'The search does not contain everything yet. Check that a worker runs.' : 'The search contains everything.';
  return finding('search', text, details, 'note');
}

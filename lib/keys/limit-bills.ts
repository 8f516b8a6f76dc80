import type { Senti } from '@/lib/core/money';
import type { Database, Queryable } from '@/lib/db/database';
import { countBilled, uncountBilled } from './day-store';

/** What the bill of a key with a daily limit is counted towards: the total of its line, which each key may fill up to its own limit. */
interface DailyCount {
  readonly firstId: string;
  /** `2026-11-20`, in East Africa. */
  readonly day: string;
  readonly amount: Senti;
  readonly dayMax: Senti;
}

/**
 * Inserts a bill in the transaction that counts it, so that neither is ever there without the other, however many come at once.
 * @param insert says whether it inserted one. @returns `over` when the day's limit does not allow it.
 */
export async function insertCounted(
  db: Database,
  count: DailyCount,
  insert: (tx: Queryable) => Promise<boolean>,
): Promise<'inserted' | 'not_inserted' | 'over'> {
  return db.sqlTransaction(async (tx) => {
    if (!(await countBilled(tx, count))) return 'over';
    if (await insert(tx)) return 'inserted';
    await uncountBilled(tx, count);
    return 'not_inserted';
  });
}

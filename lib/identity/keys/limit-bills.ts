import type { Senti } from '@/lib/platform/core/money';
import type { Database, Queryable } from '@/lib/platform/db/database';
import { countBilled, uncountBilled } from './day-store';

/** The daily total of a key and all keys that it was rolled from. Each of these keys has its own limit for this total. */
interface DailyCount {
  readonly firstId: string;
  /** A day in East Africa, such as `2026-11-20`. */
  readonly day: string;
  readonly amount: Senti;
  readonly dayMax: Senti;
}

/**
 * Counts a bill and inserts it in one transaction, so that the total is right even with concurrent requests.
 * @param insert inserts the bill and returns `inserted`. If it cannot insert the bill, it returns the reason.
 * @returns `inserted`, the reason that `insert` returned, or `over` if the daily limit does not allow the bill.
 */
export async function insertCounted<Refusal>(
  db: Database,
  count: DailyCount,
  insert: (tx: Queryable) => Promise<'inserted' | Refusal>,
): Promise<'inserted' | 'over' | Refusal> {
  return db.sqlTransaction(async (tx) => {
    if (!(await countBilled(tx, count))) return 'over';
    const outcome = await insert(tx);
    if (outcome !== 'inserted') await uncountBilled(tx, count);
    return outcome;
  });
}

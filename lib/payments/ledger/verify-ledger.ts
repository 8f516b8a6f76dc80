import type { Database } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import { type Breach, CHECKS, findBreaches } from './verify-store';

/** What came of one check over the whole database. */
interface CheckResult {
  readonly name: string;
  /** What must hold, as a sentence. */
  readonly holds: string;
  /** How often it does not; 0 when all is well. */
  readonly count: number;
  /** The first few cases. */
  readonly first: readonly Breach[];
}

const ONE_SNAPSHOT = statement({
  name: 'read one snapshot',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
  parameters: {},
  columns: {},
});

const SHOWN = 5;
const UNLIMITED = { unlimited: true };

/**
 * Holds everything the database says about money against itself. One snapshot, so that work going on meanwhile does not
 * look like a mistake. Reads every bill and payment: minutes on very large databases.
 */
export async function verifyLedger(db: Database): Promise<CheckResult[]> {
  return db.sqlTransaction(async (tx) => {
    await ONE_SNAPSHOT.rows(tx, {});
    const results: CheckResult[] = [];
    for (const check of CHECKS) {
      const { name, holds } = check;
      results.push({ name, holds, ...(await findBreaches(tx, check, SHOWN)) });
    }
    return results;
  }, UNLIMITED);
}

import type { Database } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import { CHECKS, findBreaches } from './verify-store';

/** The result of one check of the whole database: the number of violations of its rule, and the first few cases. */
type CheckResult = Pick<(typeof CHECKS)[number], 'name' | 'holds'> & Awaited<ReturnType<typeof findBreaches>>;

const ONE_SNAPSHOT = statement({
  name: 'read one snapshot',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
  parameters: {},
  columns: {},
});

const SHOWN = 5;
const UNLIMITED = { unlimited: true };

/**
 * Checks that all data about money is consistent. It reads one snapshot, so that concurrent work does not look like an error. It reads
 * every bill and payment, which takes minutes on very large databases.
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

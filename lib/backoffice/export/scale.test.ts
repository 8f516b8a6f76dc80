import { expect, test } from 'vitest';
import { seedBills } from '@/lib/cli/demo/seed-bills';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { findBillExtras } from './export-store';

const runtime = testRuntime();
const BILLS = 2_500;
const ROWS = 100;

test('an export reads only the attempts and payments of its bills', async () => {
  const { scope } = await makeMerchant(runtime());
  await seedBills(runtime(), { scope: scope('sandbox'), uniqueReferences: false, bills: BILLS, onProgress: () => undefined });
  const bills = await runtime().db.query<{ id: string }>({ text: 'SELECT id FROM bill ORDER BY id DESC LIMIT $1' }, [ROWS]);
  const { db, scans: read } = explaining(runtime().db);
  await findBillExtras(
    db,
    bills.map(({ id }) => id),
  );
  for (const table of ['push_attempt', 'payment_allocation', 'payment']) {
    const rows = read.filter((scan) => scan.table === table).reduce((sum, scan) => sum + scan.rows, 0);
    expect(rows, table).toBeGreaterThan(0);
    expect(rows, table).toBeLessThan(3 * ROWS);
  }
});

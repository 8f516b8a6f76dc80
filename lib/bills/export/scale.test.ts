import { expect, test } from 'vitest';
import { IN_ORDER, readListing } from '@/lib/bills/list/listing-store';
import { seedBills } from '@/lib/demo/seed-bills';
import { makeMerchant, testRuntime } from '@/lib/testing/runtime';
import { explaining } from '@/lib/testing/schema/explain';
import { findBillExtras } from './export-store';

const runtime = testRuntime();
const BILLS = 2_500;
const ROWS = 100;

test('an export reads only the attempts and payments of its bills, also after a long list was read in order', async () => {
  const { scope } = await makeMerchant(runtime());
  await seedBills(runtime(), { scope: scope('sandbox'), uniqueReferences: false, bills: BILLS, onProgress: () => undefined });
  const bills = await runtime().db.query<{ id: string }>({ text: 'SELECT id FROM bill ORDER BY id DESC LIMIT $1' }, [ROWS]);
  const read = await readListing(runtime().db, async (tx) => {
    await IN_ORDER.rows(tx, {});
    const { db, scans } = explaining(tx);
    await findBillExtras(
      db,
      bills.map(({ id }) => id),
    );
    return scans;
  });
  for (const table of ['push_attempt', 'payment_allocation', 'payment']) {
    const rows = read.filter((scan) => scan.table === table).reduce((sum, scan) => sum + scan.rows, 0);
    expect(rows, table).toBeGreaterThan(0);
    expect(rows, table).toBeLessThan(3 * ROWS);
  }
});

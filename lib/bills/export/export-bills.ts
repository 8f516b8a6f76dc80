import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { isStillAllowed } from '@/lib/accounts/access/is-still-allowed';
import { recordEntry } from '@/lib/audit/record-entry';
import { type BillQuery, formatBillQuery } from '@/lib/bills/list/filter';
import { selectBills } from '@/lib/bills/list/list-bills';
import type { Plan } from '@/lib/bills/list/listing-statements';
import { listBillRows, planListing, readListing } from '@/lib/bills/list/listing-store';
import { positionOf, sortOf } from '@/lib/bills/list/page-cursor';
import type { Bill } from '@/lib/bills/rules';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import type { ExportOptions } from './export-columns';
import { exportHead, exportLines } from './export-lines';
import { type BillExtras, findBillExtras } from './export-store';

/** Rows per query. Only these are held in memory, so the file may be of any length. */
const ROWS = 250;
const NO_EXTRAS: BillExtras = { networks: [], receipts: [], failed: 0 };

/**
 * Streams all bills of a list as CSV, as fast as the reader takes them. Writes one audit entry before the first row and one at the end,
 * also if the export is interrupted, with the number of rows.
 * Throws if the member loses the permission meanwhile. Bills that are created during the export may be missing, but no bill appears twice.
 */
export async function exportBills(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { query, options }: { readonly query: BillQuery; readonly options: ExportOptions },
): Promise<Result<AsyncGenerator<string, void>, 'not_allowed'>> {
  if (!may(access, 'bills.export')) return fail('not_allowed');
  const subject = newId(runtime);
  const about = { filter: formatBillQuery(query).toString(), columns: options.columns.join(',') };
  const record = (action: string, more: { readonly rows?: number; readonly complete?: boolean } = {}) =>
    recordEntry(runtime, { ...access.scope, actor: access.actor, action, subject, data: { ...about, ...more } });
  await record('bills.export_started');
  return ok(
    (async function* write() {
      const count = { rows: 0, complete: false };
      try {
        yield exportHead(options);
        for await (const bills of pagesOf(runtime, access, query, needsExtras(options))) {
          count.rows += bills.length;
          yield exportLines(bills, options);
        }
        count.complete = true;
      } finally {
        await record('bills.exported', count);
      }
    })(),
  );
}

function needsExtras({ columns }: ExportOptions): boolean {
  return columns.some((column) => column === 'networks' || column === 'receipts' || column === 'failed');
}

async function* pagesOf(runtime: Pick<Runtime, 'db' | 'clock'>, access: MerchantAccess, query: BillQuery, extras: boolean) {
  const { db, clock } = runtime;
  const selection = selectBills(access, query.filter, clock());
  const sort = sortOf(query);
  let plan: Plan | null = null;
  for (let last: Bill | null = null; ; ) {
    if (!(await isStillAllowed(runtime, access, 'bills.export')))
      throw new Error('the member lost the permission to export bills during the export');
    const cursor = last && ({ side: 'after', position: positionOf(sort.key, last) } as const);
    const bills: (Bill & BillExtras)[] = await readListing(db, async (tx) => {
      plan ??= await planListing(tx, selection, sort.key);
      const rows = await listBillRows(tx, selection, plan, { ...sort, cursor, limit: ROWS });
      const more = extras
        ? await findBillExtras(
            tx,
            rows.map(({ id }) => id),
          )
        : new Map<string, BillExtras>();
      return rows.map((row) => ({ ...row, ...(more.get(row.id) ?? NO_EXTRAS) }));
    });
    if (bills.length > 0) yield bills;
    last = bills.at(-1) ?? null;
    if (bills.length < ROWS) return;
  }
}

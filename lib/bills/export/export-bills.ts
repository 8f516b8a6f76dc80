import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { isStillAllowed } from '@/lib/accounts/access/is-still-allowed';
import { recordEntry } from '@/lib/audit/record-entry';
import type { BillInfo } from '@/lib/bills/bill-info';
import { type BillQuery, formatBillQuery } from '@/lib/bills/list/filter';
import { selectBills } from '@/lib/bills/list/list-bills';
import type { Plan } from '@/lib/bills/list/listing-statements';
import { findBillRows, listBillRows, planListing, readListing } from '@/lib/bills/list/listing-store';
import { positionOf, sortOf } from '@/lib/bills/list/page-cursor';
import type { Bill } from '@/lib/bills/rules';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import type { ExportedBill } from './export-cells';
import type { ExportOptions } from './export-columns';
import { exportHead, exportLines } from './export-lines';
import { type BillExtras, findBillExtras } from './export-store';
import { exportWorkbook } from './export-workbook';

/** Rows per query. Only these are held in memory, so the file may be of any length. */
const ROWS = 250;
type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

const NO_EXTRAS: BillExtras = { networks: [], receipts: [], failed: 0 };

interface ExportRequest {
  readonly query: BillQuery;
  readonly options: ExportOptions;
  /** The bills that a person selected in the list. If it is undefined, all bills of the query are exported. */
  readonly ids?: readonly string[] | undefined;
}

/**
 * Streams all bills of a list, or the selected ones, as a file. Bills are read only as fast as the file is consumed. One audit entry is
 * written before the first row. Another one, with the number of rows, is written at the end, also if the export is interrupted.
 * Throws if the member loses the permission during the export. Bills that are created during the export may be missing, but no bill
 * appears twice.
 */
export async function exportBills(
  runtime: Needs,
  access: MerchantAccess,
  request: ExportRequest,
): Promise<Result<AsyncGenerator<string | Uint8Array, void>, 'not_allowed'>> {
  if (!may(access, 'bills.export')) return fail('not_allowed');
  const { query, options, ids } = request;
  const subject = newId(runtime);
  const filter = ids ? `selected=${ids.length}` : formatBillQuery(query).toString();
  const about = { filter, columns: options.columns.join(','), format: options.format };
  const record = (action: string, more: { readonly rows?: number; readonly complete?: boolean } = {}) =>
    recordEntry(runtime, { ...access.scope, actor: access.actor, action, subject, data: { ...about, ...more } });
  await record('bills.export_started');
  return ok(
    (async function* write() {
      const count = { rows: 0, complete: false };
      const pages = counted(ids ? selectedPages(runtime, access, request, ids) : pagesOf(runtime, access, request), count);
      try {
        yield* options.format === 'xlsx' ? exportWorkbook(pages, options, runtime.clock()) : exportText(pages, options);
        count.complete = true;
      } finally {
        await record('bills.exported', count);
      }
    })(),
  );
}

async function* exportText(pages: AsyncIterable<readonly ExportedBill[]>, options: ExportOptions): AsyncGenerator<string, void> {
  yield exportHead(options);
  for await (const bills of pages) yield exportLines(bills, options);
}

async function* counted(pages: AsyncIterable<readonly ExportedBill[]>, count: { rows: number }) {
  for await (const bills of pages) {
    count.rows += bills.length;
    yield bills;
  }
}

function needsExtras({ columns }: ExportOptions): boolean {
  return columns.some((column) => column === 'networks' || column === 'receipts' || column === 'failed');
}

async function requirePermission(runtime: Needs, access: MerchantAccess): Promise<void> {
  if (!(await isStillAllowed(runtime, access, 'bills.export')))
    throw new Error('the member lost the permission to export bills during the export');
}

/** Returns the selected bills that the member may see, newest first. Ids of other bills are ignored. */
async function* selectedPages(runtime: Needs, access: MerchantAccess, { options }: ExportRequest, ids: readonly string[]) {
  const scope = { ...access.scope, billsOf: access.billsOf };
  await requirePermission(runtime, access);
  const bills = await readListing(runtime.db, async (tx) => withExtras(tx, await findBillRows(tx, scope, ids), options));
  if (bills.length > 0) yield bills.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

async function* pagesOf(runtime: Needs, access: MerchantAccess, { query, options }: ExportRequest) {
  const { db, clock } = runtime;
  const selection = selectBills(access, query.filter, clock());
  const sort = sortOf(query);
  let plan: Plan | null = null;
  for (let last: Bill | null = null; ; ) {
    await requirePermission(runtime, access);
    const cursor = last && ({ side: 'after', position: positionOf(sort.key, last) } as const);
    const bills: ExportedBill[] = await readListing(db, async (tx) => {
      plan ??= await planListing(tx, selection, sort.key);
      return withExtras(tx, await listBillRows(tx, selection, plan, { ...sort, cursor, limit: ROWS }), options);
    });
    if (bills.length > 0) yield bills;
    last = bills.at(-1) ?? null;
    if (bills.length < ROWS) return;
  }
}

async function withExtras(tx: Queryable, bills: readonly (Bill & BillInfo)[], options: ExportOptions): Promise<ExportedBill[]> {
  const ids = bills.map(({ id }) => id);
  const extras = needsExtras(options) ? await findBillExtras(tx, ids) : new Map<string, BillExtras>();
  return bills.map((bill) => ({ ...bill, ...(extras.get(bill.id) ?? NO_EXTRAS) }));
}

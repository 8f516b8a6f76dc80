import { type BillQuery, formatBillQuery, positionOf, sortOf } from '@/lib/backoffice/bill-list/bill-query';
import { selectBills } from '@/lib/backoffice/bill-list/list-bills';
import { findPage } from '@/lib/backoffice/bill-list/list-store';
import type { Bill } from '@/lib/gateway/bills/rules';
import { isStillAllowed, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { ExportOptions } from './export-columns';
import { type ExportedBill, exportHead, exportLines, exportWorkbook } from './export-formats';
import { type BillExtras, findBillExtras, findExported, findNumbers, type PayableNumber } from './export-store';

/** Rows per query. Only these are held in memory, so the file may be of any length. */
const ROWS = 250;
type Needs = Pick<Runtime, 'db' | 'clock' | 'random'> & { readonly providers: ProviderRegistry };

const NO_EXTRAS: BillExtras = { networks: [], receipts: [], failed: 0 };
const NO_NUMBER: PayableNumber = { number: null, numberExpiresAt: null };

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

function needsNumbers({ columns }: ExportOptions): boolean {
  return columns.some((column) => column === 'number' || column === 'numberExpires');
}

async function requirePermission(runtime: Needs, access: MerchantAccess): Promise<void> {
  if (!(await isStillAllowed(runtime, access, 'bills.export')))
    throw new Error('the member lost the permission to export bills during the export');
}

/** Returns the selected bills that the member may see, newest first. Ids of other bills are ignored. */
async function* selectedPages(runtime: Needs, access: MerchantAccess, { options }: ExportRequest, ids: readonly string[]) {
  await requirePermission(runtime, access);
  const bills = await readBills(runtime, access, options, ids.toSorted().reverse());
  if (bills.length > 0) yield bills;
}

async function* pagesOf(runtime: Needs, access: MerchantAccess, { query, options }: ExportRequest) {
  const selection = selectBills(access, query.filter, runtime.clock());
  const sort = sortOf(query);
  for (let last: Bill | null = null; ; ) {
    await requirePermission(runtime, access);
    const cursor = last && ({ side: 'after', position: positionOf(sort.key, last) } as const);
    const ids: string[] = await findPage(runtime.db, selection, { ...sort, cursor, limit: ROWS });
    const bills = await readBills(runtime, access, options, ids);
    if (bills.length > 0) yield bills;
    last = bills.at(-1) ?? null;
    if (bills.length < ROWS) return;
  }
}

async function readBills(runtime: Needs, access: MerchantAccess, options: ExportOptions, ids: readonly string[]): Promise<ExportedBill[]> {
  const { db } = runtime;
  const bills = await findExported(db, access, ids);
  const found = bills.map(({ id }) => id);
  const extras = needsExtras(options) ? await findBillExtras(db, found) : new Map<string, BillExtras>();
  const numbers = needsNumbers(options) ? await findNumbers(runtime, access.scope, bills) : new Map<string, PayableNumber>();
  return bills.map((bill) => ({ ...bill, ...(extras.get(bill.id) ?? NO_EXTRAS), ...(numbers.get(bill.id) ?? NO_NUMBER) }));
}

import type { BillInfo } from '@/lib/gateway/bills/bill-info';
import { type Bill, type BillStatus, remainingAmount } from '@/lib/gateway/bills/rules';
import { BYTE_ORDER_MARK, formatCsv } from '@/lib/platform/core/csv';
import { EAST_AFRICA_MS } from '@/lib/platform/core/east-african-day';
import { formatDecimal, type Senti } from '@/lib/platform/core/money';
import type { Locale } from '@/lib/platform/i18n/locale';
import { messagesOf, translator } from '@/lib/platform/i18n/translator';
import { type SheetCell, timeCell } from '@/lib/platform/spreadsheets/sheet-xml';
import { writeWorkbook } from '@/lib/platform/spreadsheets/write-workbook';
import type { ExportColumn, ExportHeadings, ExportOptions, ExportZone, Separator } from './export-columns';
import type { BillExtras, PayableNumber } from './export-store';

export type ExportedBill = Bill & BillInfo & BillExtras & PayableNumber;

/** A value of a bill before it is written in a file format. A day has no time zone. */
type Cell =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'money'; readonly senti: Senti }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'time' | 'day'; readonly wallMs: number }
  | null;

/** How a file writes statuses and numbers: for people, in the language of the headings, or as in the API, for programs. */
interface ExportWords {
  readonly status: Readonly<Record<BillStatus, string>>;
  readonly mobile: (mobile: string) => string;
  /** Writes the number with which a customer pays. */
  readonly number: (number: string) => string;
}

const CODES: ExportWords = {
  status: { NOT_PAID: 'NOT_PAID', PARTIALLY_PAID: 'PARTIALLY_PAID', FULLY_PAID: 'FULLY_PAID' },
  mobile: (mobile) => mobile,
  number: (number) => number,
};

/** Returns the language of the headings, or null for fixed names. */
function headingsLocale(headings: ExportHeadings): Locale | null {
  return headings === 'code' ? null : headings;
}

/**
 * Returns how a file writes statuses and numbers. Files for people have spaces in phone numbers and in the numbers with which customers
 * pay: without them, a spreadsheet would read them as amounts, and drop a first zero or write a long one with an exponent.
 */
function exportWords(headings: ExportHeadings): ExportWords {
  const locale = headingsLocale(headings);
  if (locale === null) return CODES;
  return {
    status: messagesOf(locale, 'Status'),
    mobile: (mobile) => `${mobile.slice(0, 4)} ${mobile.slice(4, 7)} ${mobile.slice(7)}`,
    number: (number) => number.replace(/\d{4}(?=\d)/g, '$& '),
  };
}

const text = (value: string | null): Cell => (value === null || value === '' ? null : { kind: 'text', text: value });
const money = (senti: Senti): Cell => ({ kind: 'money', senti });
const zoneMs = (zone: ExportZone) => (zone === 'eat' ? EAST_AFRICA_MS : 0);
const time = (at: Date | null, zone: ExportZone): Cell => at && { kind: 'time', wallMs: at.getTime() + zoneMs(zone) };

const CELLS: Readonly<Record<ExportColumn, (bill: ExportedBill, words: ExportWords, zone: ExportZone) => Cell>> = {
  id: ({ id }) => text(id),
  reference: ({ reference }) => text(reference),
  customer: ({ customerName }) => text(customerName),
  description: ({ description }) => text(description),
  amount: ({ amount }) => money(amount),
  paid: ({ paidAmount }) => money(paidAmount),
  remaining: (bill) => money(remainingAmount(bill)),
  status: ({ status }, words) => text(words.status[status]),
  // A due date is a day in East Africa, whatever time zone the times of the file have.
  due: ({ dueAt }) => dueAt && { kind: 'day', wallMs: dueAt.getTime() + EAST_AFRICA_MS },
  mobile: ({ mobile }, words) => text(mobile && words.mobile(mobile)),
  created: ({ createdAt }, _words, zone) => time(createdAt, zone),
  paidAt: ({ paidAt }, _words, zone) => time(paidAt, zone),
  closedAt: ({ closedAt }, _words, zone) => time(closedAt, zone),
  networks: ({ networks }) => text(networks.join(' ')),
  receipts: ({ receipts }) => text(receipts.join(' ')),
  failed: ({ failed }) => ({ kind: 'count', count: failed }),
  number: ({ number }, words) => text(number && words.number(number)),
  numberExpires: ({ numberExpiresAt }, _words, zone) => time(numberExpiresAt, zone),
};

function billCells(bill: ExportedBill, columns: readonly ExportColumn[], words: ExportWords, zone: ExportZone): Cell[] {
  return columns.map((column) => CELLS[column](bill, words, zone));
}

/** Returns whether the values of a column are amounts that can be added. */
function isMoney(column: ExportColumn): boolean {
  return column === 'amount' || column === 'paid' || column === 'remaining';
}

/**
 * The fixed headings. Do not rename them: programs of merchants depend on them. If an import reads the same column, the column has the
 * same name in the imported file.
 */
const NAMES: Readonly<Record<ExportColumn, (zone: ExportZone) => string>> = {
  id: () => 'id',
  reference: () => 'reference',
  customer: () => 'customer_name',
  description: () => 'description',
  amount: () => 'amount',
  paid: () => 'paid_amount',
  remaining: () => 'remaining_amount',
  status: () => 'status',
  due: () => 'due_date',
  mobile: () => 'mobile',
  created: (zone) => `created_at_${zone}`,
  paidAt: (zone) => `paid_at_${zone}`,
  closedAt: (zone) => `closed_at_${zone}`,
  networks: () => 'networks',
  receipts: () => 'receipts',
  failed: () => 'failed_prompts',
  number: () => 'payment_number',
  numberExpires: (zone) => `payment_number_expires_at_${zone}`,
};

const TIMES: readonly ExportColumn[] = ['created', 'paidAt', 'closedAt', 'numberExpires'];

/** Returns the headings. A heading of a time contains "UTC" if the times are in UTC. East Africa Time is not named: readers expect it. */
function exportHeadings(columns: readonly ExportColumn[], headings: ExportHeadings, zone: ExportZone): string[] {
  const locale = headingsLocale(headings);
  if (locale === null) return columns.map((column) => NAMES[column](zone));
  const t = translator(locale, 'BillExport');
  return columns.map((column) => t(`column_${column}`) + (zone === 'utc' && TIMES.includes(column) ? ' (UTC)' : ''));
}

const DELIMITERS: Readonly<Record<Separator, string>> = { comma: ',', semicolon: ';', tab: '\t' };

export function exportHead({ columns, headings, zone, separator, bom }: ExportOptions): string {
  return (bom ? BYTE_ORDER_MARK : '') + formatCsv([exportHeadings(columns, headings, zone)], DELIMITERS[separator]);
}

/** Returns bills as lines of CSV. */
export function exportLines(bills: readonly ExportedBill[], { columns, headings, zone, separator }: ExportOptions): string {
  const words = exportWords(headings);
  return formatCsv(
    bills.map((bill) => billCells(bill, columns, words, zone).map(cellText)),
    DELIMITERS[separator],
  );
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  switch (cell.kind) {
    case 'text':
      return cell.text;
    case 'money':
      return formatDecimal(cell.senti);
    case 'count':
      return String(cell.count);
    case 'time':
      return new Date(cell.wallMs).toISOString().replace('T', ' ').slice(0, 19);
    case 'day':
      return new Date(cell.wallMs).toISOString().slice(0, 10);
  }
}

/** The widths of columns in characters. */
const WIDTHS: Readonly<Record<ExportColumn, number>> = {
  id: 38,
  reference: 24,
  customer: 24,
  description: 32,
  amount: 16,
  paid: 16,
  remaining: 16,
  status: 16,
  due: 12,
  mobile: 15,
  created: 20,
  paidAt: 20,
  closedAt: 20,
  networks: 14,
  receipts: 24,
  failed: 12,
  number: 18,
  numberExpires: 20,
};

/**
 * Returns the bytes of a workbook with bills, piece by piece while the bills are read. `now` is stored as the time when the workbook was
 * changed.
 */
export function exportWorkbook(
  pages: AsyncIterable<readonly ExportedBill[]>,
  { columns, headings, zone }: ExportOptions,
  now: Date,
): AsyncGenerator<Uint8Array, void> {
  const words = exportWords(headings);
  const t = translator(headingsLocale(headings) ?? 'en', 'BillExport');
  async function* rows() {
    for await (const bills of pages) yield bills.map((bill) => billCells(bill, columns, words, zone).map(sheetCell));
  }
  return writeWorkbook({
    name: t('sheet'),
    head: exportHeadings(columns, headings, zone),
    widths: columns.map((column) => WIDTHS[column]),
    rows: rows(),
    summed: columns.map(isMoney),
    totalLabel: t('sum'),
    modified: now,
  });
}

function sheetCell(cell: Cell): SheetCell {
  if (cell === null) return null;
  switch (cell.kind) {
    case 'text':
      return cell.text;
    case 'money':
      return { number: formatDecimal(cell.senti), format: 'money' };
    case 'count':
      return { number: String(cell.count), format: 'count' };
    default:
      return timeCell(cell.wallMs, cell.kind);
  }
}

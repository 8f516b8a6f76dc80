import type { BillInfo } from '@/lib/bills/bill-info';
import { type Bill, type BillStatus, remainingAmount } from '@/lib/bills/rules';
import { EAST_AFRICA_MS } from '@/lib/core/east-african-day';
import type { Senti } from '@/lib/core/money';
import type { Locale } from '@/lib/i18n/locale';
import { messagesOf, translator } from '@/lib/i18n/translator';
import type { ExportColumn, ExportHeadings, ExportZone } from './export-columns';
import type { BillExtras } from './export-store';

export type ExportedBill = Bill & BillInfo & BillExtras;

/** A value of a bill before it is written in a file format. A day has no time zone. */
export type Cell =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'money'; readonly senti: Senti }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'time' | 'day'; readonly wallMs: number }
  | null;

/** How a file writes statuses and phone numbers: for people, in the language of the headings, or as in the API, for programs. */
interface ExportWords {
  readonly status: Readonly<Record<BillStatus, string>>;
  readonly mobile: (mobile: string) => string;
}

const CODES: ExportWords = {
  status: { NOT_PAID: 'NOT_PAID', PARTIALLY_PAID: 'PARTIALLY_PAID', FULLY_PAID: 'FULLY_PAID' },
  mobile: (mobile) => mobile,
};

/** Returns the language of the headings, or null for fixed names. */
export function headingsLocale(headings: ExportHeadings): Locale | null {
  return headings === 'code' ? null : headings;
}

/**
 * Returns how a file writes statuses and phone numbers. Files for people have spaces in phone numbers: without them, a spreadsheet would
 * read a phone number as a number and drop its first zero.
 */
export function exportWords(headings: ExportHeadings): ExportWords {
  const locale = headingsLocale(headings);
  if (locale === null) return CODES;
  return {
    status: messagesOf(locale, 'Status'),
    mobile: (mobile) => `${mobile.slice(0, 4)} ${mobile.slice(4, 7)} ${mobile.slice(7)}`,
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
};

export function billCells(bill: ExportedBill, columns: readonly ExportColumn[], words: ExportWords, zone: ExportZone): Cell[] {
  return columns.map((column) => CELLS[column](bill, words, zone));
}

/** Returns whether the values of a column are amounts that can be added. */
export function isMoney(column: ExportColumn): boolean {
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
};

const TIMES: readonly ExportColumn[] = ['created', 'paidAt', 'closedAt'];

/** Returns the headings. A heading of a time contains "UTC" if the times are in UTC. East Africa Time is not named: readers expect it. */
export function exportHeadings(columns: readonly ExportColumn[], headings: ExportHeadings, zone: ExportZone): string[] {
  const locale = headingsLocale(headings);
  if (locale === null) return columns.map((column) => NAMES[column](zone));
  const t = translator(locale, 'BillExport');
  return columns.map((column) => t(`column_${column}`) + (zone === 'utc' && TIMES.includes(column) ? ' (UTC)' : ''));
}

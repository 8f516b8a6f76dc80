import { stringify } from 'csv-stringify/sync';
import { addMs } from '@/lib/core/clock';
import { disarmFormulas } from '@/lib/core/disarm-formulas';
import { EAST_AFRICA_MS } from '@/lib/core/east-african-day';
import { formatDecimal } from '@/lib/core/money';
import type { ExportColumn, ExportOptions, ExportZone, Separator } from './export-columns';
import { type Bill, remainingAmount } from './rules';

/** What an export tells of a bill's prompts and payments. */
export interface BillExtras {
  readonly networks: readonly string[];
  readonly receipts: readonly string[];
  readonly failed: number;
}

export type ExportedBill = Bill & BillExtras;

const CELLS: Readonly<Record<ExportColumn, (bill: ExportedBill, zone: ExportZone) => string>> = {
  id: ({ id }) => id,
  reference: ({ reference }) => reference,
  amount: ({ amount }) => formatDecimal(amount),
  paid: ({ paidAmount }) => formatDecimal(paidAmount),
  remaining: (bill) => formatDecimal(remainingAmount(bill)),
  status: ({ status }) => status,
  mobile: ({ mobile }) => mobile ?? '',
  created: ({ createdAt }, zone) => formatTime(createdAt, zone),
  paidAt: ({ paidAt }, zone) => formatTime(paidAt, zone),
  closedAt: ({ closedAt }, zone) => formatTime(closedAt, zone),
  networks: ({ networks }) => networks.join(' '),
  receipts: ({ receipts }) => receipts.join(' '),
  failed: ({ failed }) => String(failed),
};

const NAMES: Readonly<Record<ExportColumn, (zone: ExportZone) => string>> = {
  id: () => 'id',
  reference: () => 'reference',
  amount: () => 'amount',
  paid: () => 'paid_amount',
  remaining: () => 'remaining_amount',
  status: () => 'status',
  mobile: () => 'mobile',
  created: (zone) => `created_at_${zone}`,
  paidAt: (zone) => `paid_at_${zone}`,
  closedAt: (zone) => `closed_at_${zone}`,
  networks: () => 'networks',
  receipts: () => 'receipts',
  failed: () => 'failed_prompts',
};

const DELIMITERS: Readonly<Record<Separator, string>> = { comma: ',', semicolon: ';', tab: '\t' };
const BOM = '\ufeff';

/** Pure. @returns the first line of the file. */
export function exportHead({ columns, zone, separator, bom }: ExportOptions): string {
  return (bom ? BOM : '') + write([columns.map((column) => NAMES[column](zone))], separator);
}

/** Pure. @returns a line for each bill. */
export function exportLines(bills: readonly ExportedBill[], { columns, zone, separator }: ExportOptions): string {
  return write(
    bills.map((bill) => columns.map((column) => CELLS[column](bill, zone))),
    separator,
  );
}

/** As RFC 4180 says; what a spreadsheet would take for a formula is disarmed. */
function write(rows: readonly (readonly string[])[], separator: Separator): string {
  return stringify(
    rows.map((row) => [...row]),
    // A carriage return alone ends a line for some readers too.
    { delimiter: DELIMITERS[separator], record_delimiter: '\r\n', cast: { string: disarmFormulas }, quoted_match: /[\r\n]/ },
  );
}

function formatTime(instant: Date | null, zone: ExportZone): string {
  if (instant === null) return '';
  const shown = zone === 'eat' ? addMs(instant, EAST_AFRICA_MS) : instant;
  return shown.toISOString().replace('T', ' ').slice(0, 19);
}

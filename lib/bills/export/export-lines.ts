import { type Bill, remainingAmount } from '@/lib/bills/rules';
import { addMs } from '@/lib/core/clock';
import { BYTE_ORDER_MARK, formatCsv } from '@/lib/core/csv';
import { EAST_AFRICA_MS } from '@/lib/core/east-african-day';
import { formatDecimal } from '@/lib/core/money';
import type { ExportColumn, ExportOptions, ExportZone, Separator } from './export-columns';
import type { BillExtras } from './export-store';

type ExportedBill = Bill & BillExtras;

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

export function exportHead({ columns, zone, separator, bom }: ExportOptions): string {
  return (bom ? BYTE_ORDER_MARK : '') + formatCsv([columns.map((column) => NAMES[column](zone))], DELIMITERS[separator]);
}

export function exportLines(bills: readonly ExportedBill[], { columns, zone, separator }: ExportOptions): string {
  return formatCsv(
    bills.map((bill) => columns.map((column) => CELLS[column](bill, zone))),
    DELIMITERS[separator],
  );
}

function formatTime(instant: Date | null, zone: ExportZone): string {
  if (instant === null) return '';
  const shown = zone === 'eat' ? addMs(instant, EAST_AFRICA_MS) : instant;
  return shown.toISOString().replace('T', ' ').slice(0, 19);
}

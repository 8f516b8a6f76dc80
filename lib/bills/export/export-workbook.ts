import { formatDecimal } from '@/lib/core/money';
import { translator } from '@/lib/i18n/translator';
import { type SheetCell, timeCell } from '@/lib/spreadsheets/sheet-xml';
import { writeWorkbook } from '@/lib/spreadsheets/write-workbook';
import { billCells, type Cell, type ExportedBill, exportHeadings, exportWords, headingsLocale, isMoney } from './export-cells';
import type { ExportColumn, ExportOptions } from './export-columns';

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

import { BYTE_ORDER_MARK, formatCsv } from '@/lib/core/csv';
import { formatDecimal } from '@/lib/core/money';
import { billCells, type Cell, type ExportedBill, exportHeadings, exportWords } from './export-cells';
import type { ExportOptions, Separator } from './export-columns';

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

import { DAY_MS } from '@/lib/platform/core/clock';

/** The styles of cells, in the order of the styles in `write-workbook.ts`. */
const STYLES = ['plain', 'text', 'money', 'count', 'time', 'day', 'head', 'totalLabel', 'totalMoney'] as const;
type Style = (typeof STYLES)[number];
type NumberFormat = Extract<Style, 'money' | 'count' | 'time' | 'day'>;

/** A cell: a text, which a spreadsheet never reads as a number or formula; a number as its decimal text; or nothing. */
export type SheetCell = string | { readonly number: string; readonly format: NumberFormat } | null;

/** Excel opens no sheet with more rows. */
const ROWS_MAX = 1_048_576;
/** The maximum number of rows of a sheet without its header and its total. */
export const DATA_ROWS_MAX = ROWS_MAX - 2;

/** 30 December 1899, the day 0 of spreadsheets, in milliseconds before 1970. */
export const EPOCH_MS = 25_569 * DAY_MS;

/** Returns the cell of a date and time. `wallMs` is the local time of the reader, in milliseconds since 1970 as if it were UTC. */
export function timeCell(wallMs: number, format: 'time' | 'day'): SheetCell {
  const ms = wallMs + EPOCH_MS;
  return { number: String(format === 'day' ? Math.floor(ms / DAY_MS) : ms / DAY_MS), format };
}

/** Returns the name of a column: 0 is A, 26 is AA. Pure. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** Characters that XML does not allow, or that have a meaning in XML or in a spreadsheet. Most texts have none. */
const SPECIAL = /[&<>]|_(?=x[0-9a-f]{4}_)|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/giu;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', _: '_x005F_' };

/** Escapes a text for a cell. Spreadsheets read `_x0041_` as A, so such an underscore is escaped too. Pure. */
export function escapeText(text: string): string {
  return text.replace(SPECIAL, (character) => ESCAPES[character] ?? '\ufffd');
}

function textXml(text: string, style: Style): string {
  return `<c t="inlineStr" s="${STYLES.indexOf(style)}"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;
}

function cellXml(cell: SheetCell): string {
  if (cell === null || cell === '') return '<c/>';
  return typeof cell === 'string' ? textXml(cell, 'text') : `<c s="${STYLES.indexOf(cell.format)}"><v>${cell.number}</v></c>`;
}

export function rowXml(cells: readonly SheetCell[]): string {
  return `<row>${cells.map(cellXml).join('')}</row>`;
}

/** Returns the start of a sheet with the header row, which stays visible while the reader scrolls. */
export function sheetStart(head: readonly string[], widths: readonly number[]): string {
  const columns = widths.map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`);
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columns.join('')}</cols><sheetData><row>${head.map((text) => textXml(text, 'head')).join('')}</row>`
  );
}

/** The sum of a column, in the form in which spreadsheets store it; null for a column without a sum. */
type Total = string | null;

/**
 * Returns the end of a sheet. The sums are formulas with their present values, so that they change when somebody filters or edits rows.
 * @param rows the number of rows below the header.
 */
export function sheetEnd(rows: number, totals: readonly Total[], label: string): string {
  const last = rows + 1;
  const cells = totals.map((total, index) => {
    if (total === null) return index === 0 ? textXml(label, 'totalLabel') : '<c/>';
    const column = columnName(index);
    return `<c s="${STYLES.indexOf('totalMoney')}"><f>SUBTOTAL(9,${column}2:${column}${last})</f><v>${total}</v></c>`;
  });
  const sums = rows > 0 && totals.some((total) => total !== null) ? `<row>${cells.join('')}</row>` : '';
  return `${sums}</sheetData><autoFilter ref="A1:${columnName(totals.length - 1)}${last}"/></worksheet>`;
}

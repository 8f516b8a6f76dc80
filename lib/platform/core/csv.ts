import { stringify } from 'csv-stringify/sync';

/** The first character of a file. Excel needs it to recognise UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Formats rows as CSV (RFC 4180). A cell that a spreadsheet would read as a formula is changed, so that the spreadsheet shows it as text,
 * whatever separator the spreadsheet expects. Pure.
 */
export function formatCsv(rows: readonly (readonly string[])[], delimiter = ','): string {
  return stringify(
    rows.map((row) => [...row]),
    // Some programs end a line at a carriage return alone, so cells with a carriage return are quoted too.
    { delimiter, record_delimiter: '\r\n', cast: { string: disarmFormulas }, quoted_match: /[\r\n]/ },
  );
}

/** Characters that start a formula in a spreadsheet, including the full-width forms of East Asian keyboards. */
const FORMULA = new Set('=+-@＝＋－＠');
/** What can be between the start of a cell and its first visible character: separators, quotes and invisible characters. */
const GAP = /[,;\s"\p{C}]+/gu;
const SEPARATOR = /[,;\t\r\n]/;
/** A quick check for whether a cell may need a change. Most cells do not, and an export can have millions. */
const DOUBTFUL = /(?:^|[,;\s"\p{C}])[=+\-@＝＋－＠]/u;

/**
 * Puts a ' before each character that would start a formula (OWASP, "CSV Injection"): at the start of the cell, and after a comma,
 * semicolon, tab or line break. A spreadsheet with another separator setting splits the cell there, and quotes do not prevent that.
 * Nothing else changes: `A;B`, `a-b` and `1 + 1` stay. Applying it twice gives the same result. Pure.
 */
export function disarmFormulas(cell: string): string {
  if (!DOUBTFUL.test(cell)) return cell;
  const inside = cell.replace(GAP, (gap: string, at: number) => {
    const begins = at === 0 || SEPARATOR.test(gap);
    return begins && FORMULA.has(cell.charAt(at + gap.length)) ? `${gap}'` : gap;
  });
  return FORMULA.has(inside.charAt(0)) ? `'${inside}` : inside;
}

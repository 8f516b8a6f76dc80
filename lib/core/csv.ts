import { stringify } from 'csv-stringify/sync';
import { disarmFormulas } from './disarm-formulas';

/** The first character of a file. Excel needs it to recognise UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Formats rows as CSV (RFC 4180). Cells that a spreadsheet would read as formulas are disarmed, whatever separator it uses. Pure. */
export function formatCsv(rows: readonly (readonly string[])[], delimiter = ','): string {
  return stringify(
    rows.map((row) => [...row]),
    // Some programs end a line at a carriage return alone, so cells with one are quoted too.
    { delimiter, record_delimiter: '\r\n', cast: { string: disarmFormulas }, quoted_match: /[\r\n]/ },
  );
}

import { stringify } from 'csv-stringify/sync';

/** Stands first in a file for Excel, which takes it for UTF-8 then. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Pure. @returns rows as CSV (RFC 4180): a file, or a part of one. A cell that a spreadsheet would take for a formula gets an
 * apostrophe in front (OWASP, "CSV Injection").
 */
export function formatCsv(rows: readonly (readonly string[])[], delimiter = ','): string {
  return stringify(
    rows.map((row) => [...row]),
    // A carriage return alone ends a line for some readers too.
    { delimiter, record_delimiter: '\r\n', escape_formulas: true, quoted_match: /[\r\n]/ },
  );
}

import { stringify } from 'csv-stringify/sync';
import { disarmFormulas } from './disarm-formulas';

/** Stands first in a file for Excel, which takes it for UTF-8 then. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Pure. @returns rows as CSV (RFC 4180): a file, or a part of one. No cell, nor what another separator would make of it, is a formula.
 */
export function formatCsv(rows: readonly (readonly string[])[], delimiter = ','): string {
  return stringify(
    rows.map((row) => [...row]),
    // A carriage return alone ends a line for some readers too.
    { delimiter, record_delimiter: '\r\n', cast: { string: disarmFormulas }, quoted_match: /[\r\n]/ },
  );
}

import { BYTE_ORDER_MARK, formatCsv } from '@/lib/platform/core/csv';
import type { Locale } from '@/lib/platform/i18n/locale';
import { writeWorkbook } from '@/lib/platform/spreadsheets/write-workbook';
import { TEMPLATE } from './import-file';

/** The name of the template's file without its ending, which is also the name of its sheet. */
const NAMES: Readonly<Record<Locale, string>> = { en: 'Bills', sw: 'Bili' };
/** The width of each column in characters. */
const WIDTH = 22;

/** Returns the template of an import as a workbook: a sheet with the names of the columns, and no rows. */
export function templateWorkbook(locale: Locale, now: Date): AsyncGenerator<Uint8Array, void> {
  const head = TEMPLATE[locale];
  return writeWorkbook({
    name: NAMES[locale],
    head,
    widths: head.map(() => WIDTH),
    rows: noRows(),
    summed: head.map(() => false),
    totalLabel: '',
    modified: now,
  });
}

async function* noRows() {
  // A template has no rows.
}

/** Returns the template of an import as CSV. */
export function templateCsv(locale: Locale): string {
  return BYTE_ORDER_MARK + formatCsv([TEMPLATE[locale]]);
}

/** Returns the headers of the response with a template. @param ending the ending of the file's name */
export function templateHeaders(locale: Locale, ending: 'xlsx' | 'csv'): Readonly<Record<string, string>> {
  const types = { xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', csv: 'text/csv; charset=utf-8' };
  return { 'content-type': types[ending], 'content-disposition': `attachment; filename="${NAMES[locale]}.${ending}"` };
}

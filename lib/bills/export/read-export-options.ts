import { isUuid } from '@/lib/core/ids';
import type { Locale } from '@/lib/i18n/locale';
import {
  EXPORT_COLUMNS,
  EXPORT_FORMATS,
  EXPORT_HEADINGS,
  EXPORT_ZONES,
  type ExportOptions,
  SELECTED_MAX,
  SEPARATORS,
  USUAL_COLUMNS,
} from './export-columns';

/**
 * Reads the options from a query string; missing ones get their defaults. Returns null if one is invalid.
 * @param locale the language of the reader.
 */
export function readExportOptions(params: URLSearchParams, locale: Locale): ExportOptions | null {
  const asked = params.getAll('column');
  const format = EXPORT_FORMATS.find((one) => one === (params.get('format') ?? 'csv'));
  const headings = EXPORT_HEADINGS.find((one) => one === (params.get('headings') ?? locale));
  const zone = EXPORT_ZONES.find((one) => one === (params.get('zone') ?? 'eat'));
  const separator = SEPARATORS.find((one) => one === (params.get('separator') ?? 'comma'));
  const known = asked.every((name) => EXPORT_COLUMNS.some((column) => column === name));
  if (!format || !headings || !zone || !separator || !known) return null;
  const columns = asked.length === 0 ? USUAL_COLUMNS : EXPORT_COLUMNS.filter((column) => asked.includes(column));
  return { format, headings, columns, zone, separator, bom: params.get('bom') === '1' };
}

/**
 * Reads the ids of the selected bills from the parameter `ids`, which separates them by commas. Returns undefined if the parameter is
 * missing: then all bills of the list are exported. Returns null if the parameter is invalid.
 */
export function readSelectedIds(params: URLSearchParams): readonly string[] | null | undefined {
  const ids = params.get('ids')?.split(',');
  if (ids === undefined) return undefined;
  return ids.length <= SELECTED_MAX && ids.every(isUuid) ? ids : null;
}

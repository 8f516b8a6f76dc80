import { isUuid } from '@/lib/platform/core/ids';
import type { Locale } from '@/lib/platform/i18n/locale';

/** The columns of an export, in the order of the file. Do not rename them: addresses of exports contain the names. */
export const EXPORT_COLUMNS = [
  'id',
  'reference',
  'customer',
  'description',
  'amount',
  'paid',
  'remaining',
  'status',
  'due',
  'mobile',
  'created',
  'paidAt',
  'closedAt',
  'networks',
  'receipts',
  'failed',
  'number',
  'numberExpires',
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

const UNUSUAL: readonly ExportColumn[] = ['id', 'networks', 'failed', 'number', 'numberExpires'];

/** The default columns. */
export const USUAL_COLUMNS: readonly ExportColumn[] = EXPORT_COLUMNS.filter((column) => !UNUSUAL.includes(column));

export const EXPORT_FORMATS = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A language for people, or `code`: fixed English names and values for programs. */
export const EXPORT_HEADINGS = ['sw', 'en', 'code'] as const;
export type ExportHeadings = Locale | 'code';

export const EXPORT_ZONES = ['eat', 'utc'] as const;
export type ExportZone = (typeof EXPORT_ZONES)[number];

export const SEPARATORS = ['comma', 'semicolon', 'tab'] as const;
export type Separator = (typeof SEPARATORS)[number];

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly headings: ExportHeadings;
  readonly columns: readonly ExportColumn[];
  readonly zone: ExportZone;
  /** Only for CSV. */
  readonly separator: Separator;
  /** Only for CSV: starts the file with a byte order mark, by which Excel recognizes UTF-8. */
  readonly bom: boolean;
}

/** The most bills that can be selected one by one. Their ids must fit into an address. */
const SELECTED_MAX = 200;

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

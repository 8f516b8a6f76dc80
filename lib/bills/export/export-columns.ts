import type { Locale } from '@/lib/i18n/locale';

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
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

const UNUSUAL: readonly ExportColumn[] = ['id', 'networks', 'failed'];

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
export const SELECTED_MAX = 200;

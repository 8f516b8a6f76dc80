/** The columns of an export, in the order of the file. Do not rename them: spreadsheets of merchants depend on the names. */
export const EXPORT_COLUMNS = [
  'id',
  'reference',
  'amount',
  'paid',
  'remaining',
  'status',
  'mobile',
  'created',
  'paidAt',
  'closedAt',
  'networks',
  'receipts',
  'failed',
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** The default columns. The others require a query for each bill. */
export const USUAL_COLUMNS: readonly ExportColumn[] = EXPORT_COLUMNS.slice(0, 10);

export const EXPORT_ZONES = ['eat', 'utc'] as const;
export type ExportZone = (typeof EXPORT_ZONES)[number];

export const SEPARATORS = ['comma', 'semicolon', 'tab'] as const;
export type Separator = (typeof SEPARATORS)[number];

export interface ExportOptions {
  readonly columns: readonly ExportColumn[];
  readonly zone: ExportZone;
  readonly separator: Separator;
  /** Starts the file with a byte order mark, by which Excel recognizes UTF-8. */
  readonly bom: boolean;
}

/** Reads the options from a query string; missing ones get their defaults. Returns null if one is invalid. */
export function readExportOptions(params: URLSearchParams): ExportOptions | null {
  const asked = params.getAll('column');
  const zone = EXPORT_ZONES.find((one) => one === (params.get('zone') ?? 'eat'));
  const separator = SEPARATORS.find((one) => one === (params.get('separator') ?? 'comma'));
  const known = asked.every((name) => EXPORT_COLUMNS.some((column) => column === name));
  if (!zone || !separator || !known) return null;
  const columns = asked.length === 0 ? USUAL_COLUMNS : EXPORT_COLUMNS.filter((column) => asked.includes(column));
  return { columns, zone, separator, bom: params.get('bom') === '1' };
}

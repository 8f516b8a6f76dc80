/** What an export can have, in the order of the file. Names stay as they are: other people's sheets go by them. */
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

/** Those that are taken without asking: the others are looked up bill by bill. */
export const USUAL_COLUMNS: readonly ExportColumn[] = EXPORT_COLUMNS.slice(0, 10);

export const EXPORT_ZONES = ['eat', 'utc'] as const;
export type ExportZone = (typeof EXPORT_ZONES)[number];

export const SEPARATORS = ['comma', 'semicolon', 'tab'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** What somebody wants of the file. */
export interface ExportOptions {
  readonly columns: readonly ExportColumn[];
  readonly zone: ExportZone;
  readonly separator: Separator;
  /** Begins with the mark by which Excel knows UTF-8. */
  readonly bom: boolean;
}

/** Pure. Reads the options of an address; what is missing is usual. @returns null when something is not understood. */
export function readExportOptions(params: URLSearchParams): ExportOptions | null {
  const asked = params.getAll('column');
  const zone = EXPORT_ZONES.find((one) => one === (params.get('zone') ?? 'eat'));
  const separator = SEPARATORS.find((one) => one === (params.get('separator') ?? 'comma'));
  const known = asked.every((name) => EXPORT_COLUMNS.some((column) => column === name));
  if (!zone || !separator || !known) return null;
  const columns = asked.length === 0 ? USUAL_COLUMNS : EXPORT_COLUMNS.filter((column) => asked.includes(column));
  return { columns, zone, separator, bom: params.get('bom') === '1' };
}

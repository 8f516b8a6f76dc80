/** Pure. Returns for each name the values of that field in all rows: the parameters of a statement that reads them with `unnest`. */
export function columnsOf<Row extends object, Names extends { readonly [Name in keyof Names]: Name extends keyof Row ? unknown : never }>(
  rows: readonly Row[],
  names: Names,
): { readonly [Name in keyof Names]: Row[Name & keyof Row][] };
export function columnsOf(rows: readonly Readonly<Record<string, unknown>>[], names: object): Record<string, unknown[]> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, rows.map((row) => row[name])]));
}

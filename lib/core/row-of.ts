/** A row of a declared statement's result. Its columns are described only once, in the declaration. */
export type RowOf<Declared extends { rows(...given: never[]): Promise<readonly unknown[]> }> = Awaited<
  ReturnType<Declared['rows']>
>[number];

import { lowestId } from '@/lib/platform/core/ids';
import type { Queryable } from '@/lib/platform/db/database';
import { type Breach, CHECKS, findBreaches, listNextRows, SHOWN, TABLES, type Table } from './verify-store';

/** The result of one check of the whole database: the number of violations of its rule, and the first few cases. */
type CheckResult = Pick<(typeof CHECKS)[number], 'name' | 'holds'> & Breach;

/** The rows that one statement checks. So every statement takes milliseconds, and none holds an old snapshot of the database. */
const PIECE = 2_000;
const FIRST_ID = lowestId(0);

/** Where the next piece begins: after the row with this id. A table of null: only the checks that are one query remain. */
interface Position {
  readonly table: Table | null;
  readonly after: string;
}

export interface VerifyOptions {
  /** Rows with lower ids are not checked, so only rows that were created later are. All rows by default. */
  readonly from?: string;
  /** The number of rows of a piece. */
  readonly piece?: number;
}

export function firstPosition({ from = FIRST_ID }: VerifyOptions = {}): Position {
  return { table: TABLES[0], after: from };
}

/**
 * Checks the next piece of the ledger. Each statement reads one snapshot, so that concurrent work does not look like an error.
 * A check of new rows also checks the bills of new allocations and attempts, which may be old.
 * @returns the violations, and the position of the next piece, or null at the end.
 */
export async function verifyPiece(
  db: Queryable,
  { table, after }: Position,
  { from = FIRST_ID, piece = PIECE }: VerifyOptions = {},
): Promise<{ readonly breaches: readonly Breach[]; readonly next: Position | null }> {
  if (table === null) return { breaches: await findBreaches(db, null, []), next: null };
  const rows = await listNextRows(db, table, after, piece);
  const breaches = await findBreaches(
    db,
    table,
    rows.map(({ id }) => id),
  );
  const older = new Set(rows.flatMap(({ billId }) => (billId !== null && billId <= from ? [billId] : [])));
  const ofBills = older.size > 0 ? await findBreaches(db, 'bill', [...older]) : [];
  const last = rows.length === piece ? rows.at(-1)?.id : undefined;
  const next = last === undefined ? { table: TABLES[TABLES.indexOf(table) + 1] ?? null, after: from } : { table, after: last };
  return { breaches: [...breaches, ...ofBills], next };
}

/** Adds the violations of a piece to those of earlier pieces. */
export function addBreaches(before: readonly Breach[], more: readonly Breach[]): Breach[] {
  const sums = new Map(before.map((one) => [one.name, one]));
  for (const { name, count, first } of more) {
    const known = sums.get(name);
    sums.set(name, { name, count: count + (known?.count ?? 0), first: [...(known?.first ?? []), ...first].slice(0, SHOWN) });
  }
  return [...sums.values()];
}

/** Checks that all data about money is consistent. It reads every bill and payment, which takes minutes on very large databases. */
export async function verifyLedger(db: Queryable, options: VerifyOptions = {}): Promise<CheckResult[]> {
  let found: Breach[] = [];
  for (let position: Position | null = firstPosition(options); position !== null; ) {
    const { breaches, next } = await verifyPiece(db, position, options);
    found = addBreaches(found, breaches);
    position = next;
  }
  return CHECKS.map(({ name, holds }) => ({ holds, ...(found.find((one) => one.name === name) ?? { name, count: 0, first: [] }) }));
}

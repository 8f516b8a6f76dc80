import { z } from 'zod';
import type { Queryable } from '@/lib/db/database';
import { array, boolean, neverNull, type SqlType, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnest } from '@/lib/db/unnest';
import {
  COLUMNS,
  type Column,
  insertAttempts,
  insertBillRows,
  insertEvents,
  insertKeys,
  lockedKey,
  lockedReference,
  type NewBillRow,
  type Part,
  type Values,
} from './insert-sql';

/**
 * Why a bill was not inserted. `taken`: an earlier request stored its Idempotency-Key. `used`: another bill has its unique reference.
 * `busy`: another transaction is creating a bill with this key or reference.
 */
const REFUSALS = ['taken', 'used', 'busy'] as const;
export type InsertRefusal = (typeof REFUSALS)[number];

const RESULT = { columns: { id: neverNull(uuid), refusal: neverNull(text) }, prepared: true };
const typesOf = (columns: readonly Column[], typeOf: (type: SqlType<unknown>) => SqlType<unknown>) =>
  Object.fromEntries(columns.map(({ name, type }) => [name, typeOf(type)]));
const TURN = { waits: boolean, now: timestamptz };
const names: Values = (...columns) => columns.join(', ');

/**
 * Inserts bills: one round trip and one commit. For each bill, it inserts the row of its Idempotency-Key, the bill, its first event and its
 * attempt, which goes to the network that the number's prefix belongs to at this moment.
 * A refused bill does not prevent the others from being inserted. Locks on keys and references are taken before anything is inserted, and
 * a statement with several bills never waits for a lock. Rows are inserted in the order of keys and references, so that no two
 * transactions can wait for each other even if one of them does not take these locks.
 * The look-up of references uses LIMIT, because for EXISTS, PostgreSQL may plan to read all bills once, and keep that plan while they grow.
 */
function insertMany(name: string, columns: readonly Column[]) {
  return statement({
    name,
    text: `
WITH asked AS MATERIALIZED (
  SELECT a.*, CASE
    WHEN key IS NOT NULL AND NOT ${lockedKey(names)} THEN 'busy'
    WHEN unique_reference IS NULL THEN NULL
    WHEN NOT ${lockedReference(names)} THEN 'busy'
    WHEN (SELECT b.id FROM bill b WHERE b.merchant_id = a.merchant_id AND b.environment = a.environment
            AND b.unique_reference = a.unique_reference LIMIT 1) IS NOT NULL THEN 'used'
  END AS refusal
  FROM ${unnest(...columns.map((one) => `$${one.name}::${one.type.name}[]`))} AS a(${names(...columns.map((one) => one.name))})
), remembered AS (${insertKeys(names, 'FROM asked WHERE refusal IS NULL AND key IS NOT NULL ORDER BY merchant_id, environment, key')}
), accepted AS MATERIALIZED (
  SELECT * FROM asked
  WHERE refusal IS NULL AND (key IS NULL OR (merchant_id, environment, key) IN (SELECT merchant_id, environment, key FROM remembered))
), created AS (${insertBillRows(names, 'FROM accepted ORDER BY merchant_id, environment, unique_reference', columns === COLUMNS)}
), noted AS (${insertEvents(names, 'FROM accepted')}
), queued AS (${insertAttempts(names, 'FROM accepted WHERE attempt_id IS NOT NULL')}
)
SELECT id, coalesce(refusal, 'taken') AS refusal FROM asked WHERE id NOT IN (SELECT id FROM accepted)`,
    parameters: { ...typesOf(columns, array), ...TURN },
    ...RESULT,
  });
}

/** The columns for a batch in which no bill has optional values, as in most batches. Their SQL statement leaves out the other columns. */
const PLAIN_COLUMNS = COLUMNS.filter(({ part }) => part !== 'info');
const INSERT_MANY = insertMany('insert-bills', PLAIN_COLUMNS);
const INSERT_MANY_WITH_INFO = insertMany('insert-bills-with-info', COLUMNS);

/**
 * Declares a variant of insertMany for one bill without a unique reference. It takes half the time of the statement for several bills,
 * because it reads no arrays and does only what a bill with these parts needs.
 */
function insertOne(...parts: readonly Part[]) {
  const columns = COLUMNS.filter(({ part }) => part === undefined || parts.includes(part));
  const parameters = new Map(COLUMNS.map((one) => [one.name, `${columns.includes(one) ? `$${one.name}` : 'NULL'}::${one.type.name}`]));
  const values: Values = (...wanted) => wanted.map((column) => parameters.get(column)).join(', ');
  const keyed = parts.includes('key');
  const from = keyed ? 'FROM remembered' : '';
  const inserts = [
    ...(keyed ? [`locked AS MATERIALIZED (SELECT ${lockedKey(values)} AS free)`] : []),
    ...(keyed ? [`remembered AS (${insertKeys(values, 'FROM locked WHERE free')})`] : []),
    `created AS (${insertBillRows(values, from, parts.includes('info'))})`,
    `noted AS (${insertEvents(values, from)})`,
    ...(parts.includes('attempt') ? [`queued AS (${insertAttempts(values, from)})`] : []),
  ];
  const refused = keyed
    ? "CASE WHEN free THEN 'taken' ELSE 'busy' END AS refusal FROM locked WHERE NOT EXISTS (SELECT 1 FROM remembered)"
    : 'NULL AS refusal WHERE false';
  const declared = statement({
    name: ['insert-bill', ...parts].join('-with-'),
    text: `WITH ${inserts.join(', ')} SELECT ${values('id')} AS id, ${refused}`,
    parameters: { ...typesOf(columns, (type) => type), ...(keyed && TURN) },
    ...RESULT,
  });
  return (db: Queryable, row: NewBillRow, waits: boolean) =>
    declared.rows(db, { ...valuesOf(columns, ({ of }) => of(row)), waits, now: row.bill.createdAt });
}

const insertOneWith = (...parts: readonly Part[]) => ({
  plain: insertOne(...parts),
  withAttempt: insertOne('attempt', ...parts),
  withKey: insertOne('key', ...parts),
  withBoth: insertOne('key', 'attempt', ...parts),
});
const INSERT_ONE = insertOneWith();
const INSERT_ONE_WITH_INFO = insertOneWith('info');

/**
 * Inserts bills. A refused bill does not prevent the others from being inserted.
 * @param waits whether to wait for other transactions with the same key or reference, up to the lock time-out. Only for a single bill.
 * @returns the refusals by bill id. All other bills were inserted.
 */
async function insert(db: Queryable, rows: readonly NewBillRow[], waits: boolean): Promise<ReadonlyMap<string, InsertRefusal>> {
  const now = rows.reduce((latest, { bill }) => (bill.createdAt > latest ? bill.createdAt : latest), new Date(0));
  const [row] = rows;
  const refused =
    row && rows.length === 1 && !row.uniqueReference
      ? await insertOneOf(row)(db, row, waits)
      : await insertManyOf(db, rows, { waits, now });
  return new Map(refused.map(({ id, refusal }) => [id, z.enum(REFUSALS).parse(refusal)]));
}

function insertOneOf({ attempt, idempotency, info, extras }: NewBillRow) {
  const one = info === null && extras === null ? INSERT_ONE : INSERT_ONE_WITH_INFO;
  if (idempotency) return attempt ? one.withBoth : one.withKey;
  return attempt ? one.withAttempt : one.plain;
}

function insertManyOf(db: Queryable, rows: readonly NewBillRow[], turn: { readonly waits: boolean; readonly now: Date }) {
  return rows.some(({ info, extras }) => info !== null || extras !== null)
    ? INSERT_MANY_WITH_INFO.rows(db, { ...valuesOf(COLUMNS, ({ of }) => rows.map(of)), ...turn })
    : INSERT_MANY.rows(db, { ...valuesOf(PLAIN_COLUMNS, ({ of }) => rows.map(of)), ...turn });
}

function valuesOf(columns: readonly Column[], read: (column: Column) => unknown): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column.name, read(column)]));
}

/** Inserts bills without waiting for other transactions. Returns the refusals by bill id. */
export function insertBills(db: Queryable, rows: readonly NewBillRow[]): Promise<ReadonlyMap<string, InsertRefusal>> {
  return insert(db, rows, false);
}

/**
 * Inserts one bill. Waits for other transactions with the same key or reference. Returns why the bill was refused; undefined if it was
 * inserted.
 */
export async function insertBill(db: Queryable, row: NewBillRow): Promise<InsertRefusal | undefined> {
  return (await insert(db, [row], true)).get(row.bill.id);
}

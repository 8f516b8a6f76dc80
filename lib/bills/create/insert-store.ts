import { z } from 'zod';
import type { Bill } from '@/lib/bills/rules';
import { ADVISORY_LOCKS } from '@/lib/db/advisory-locks';
import type { Queryable } from '@/lib/db/database';
import { array, boolean, bytes, environment, int8, neverNull, nullable, type SqlType, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnest } from '@/lib/db/unnest';
import { networkByPrefix } from '@/lib/networks/store';

export interface NewBillRow {
  readonly bill: Bill;
  readonly createdBy: string;
  /** The person who created the bill in the dashboard, or null. */
  readonly createdById: string | null;
  readonly uniqueReference: boolean;
  readonly attempt: { id: string; amount: bigint; ourReference: string } | null;
  readonly idempotency: { key: string; requestHash: Uint8Array; response: string; expiresAt: Date } | null;
}

/**
 * Why a bill was not inserted. `taken`: its Idempotency-Key is stored. `used`: another bill has its unique reference. `busy`: another
 * transaction is creating a bill with this key or reference.
 */
const REFUSALS = ['taken', 'used', 'busy'] as const;
export type InsertRefusal = (typeof REFUSALS)[number];

/** A column of the rows that a statement inserts. */
interface Column {
  readonly name: string;
  readonly type: SqlType<unknown>;
  readonly of: (row: NewBillRow) => unknown;
}

function column<Value>(name: string, type: SqlType<Value>, of: (row: NewBillRow) => Value): Column {
  return { name, type, of };
}

const COLUMNS = [
  column('id', uuid, ({ bill }) => bill.id),
  column('merchant_id', uuid, ({ bill }) => bill.merchantId),
  column('environment', environment, ({ bill }) => bill.environment),
  column('amount', int8, ({ bill }) => bill.amount),
  column('reference', text, ({ bill }) => bill.reference),
  column('unique_reference', nullable(text), ({ bill, uniqueReference }) => (uniqueReference ? bill.reference : null)),
  column('mobile', nullable(text), ({ bill }) => bill.mobile),
  column('created_at', timestamptz, ({ bill }) => bill.createdAt),
  column('created_by', text, ({ createdBy }) => createdBy),
  column('created_by_id', nullable(uuid), ({ createdById }) => createdById),
  column('attempt_id', nullable(uuid), ({ attempt }) => attempt?.id ?? null),
  column('attempt_amount', nullable(int8), ({ attempt }) => attempt?.amount ?? null),
  column('our_reference', nullable(text), ({ attempt }) => attempt?.ourReference ?? null),
  column('key', nullable(text), ({ idempotency }) => idempotency?.key ?? null),
  column('request_hash', nullable(bytes), ({ idempotency }) => idempotency?.requestHash ?? null),
  column('response', nullable(text), ({ idempotency }) => idempotency?.response ?? null),
  column('expires_at', nullable(timestamptz), ({ idempotency }) => idempotency?.expiresAt ?? null),
];
const NAMES = COLUMNS.map(({ name }) => name).join(', ');

/** Returns SQL that locks a value until the transaction ends. False if the lock is held elsewhere and `$waits` is false. */
function locked(value: string): string {
  const hash = `hashtextextended(a.merchant_id::text || a.environment::text || ${value}, ${ADVISORY_LOCKS.createBill})`;
  // pg_advisory_xact_lock waits and returns void, which is not null as a text.
  return `CASE WHEN $waits::boolean THEN pg_advisory_xact_lock(${hash})::text IS NOT NULL ELSE pg_try_advisory_xact_lock(${hash}) END`;
}

/** What the rows of a statement can have. The statement leaves out the parts for the others. */
interface Parts {
  readonly keys: boolean;
  readonly references: boolean;
  readonly attempts: boolean;
}

const REFUSED_BY_KEY = `WHEN a.key IS NOT NULL AND NOT ${locked("' key ' || a.key")} THEN 'busy'`;
const REFUSED_BY_REFERENCE = `WHEN a.unique_reference IS NULL THEN NULL
    WHEN NOT ${locked("' reference ' || a.unique_reference")} THEN 'busy'
    WHEN (SELECT b.id FROM bill b WHERE b.merchant_id = a.merchant_id AND b.environment = a.environment
            AND b.unique_reference = a.unique_reference LIMIT 1) IS NOT NULL THEN 'used'`;
const REMEMBERED = `, remembered AS (
  INSERT INTO idempotency_key (merchant_id, environment, key, request_hash, response, expires_at)
  SELECT merchant_id, environment, key, request_hash, response, expires_at FROM asked
  WHERE refusal IS NULL AND key IS NOT NULL ORDER BY merchant_id, environment, key
  ON CONFLICT (merchant_id, environment, key) DO UPDATE
    SET request_hash = EXCLUDED.request_hash, response = EXCLUDED.response, expires_at = EXCLUDED.expires_at
    WHERE idempotency_key.expires_at <= $now::timestamptz
  RETURNING merchant_id, environment, key
), accepted AS MATERIALIZED (
  SELECT * FROM asked
  WHERE refusal IS NULL AND (key IS NULL OR (merchant_id, environment, key) IN (SELECT merchant_id, environment, key FROM remembered))
)`;
const QUEUED = `, queued AS (
  INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
  SELECT attempt_id, merchant_id, environment, id, 'api', mobile, ${networkByPrefix('mobile')}, attempt_amount, our_reference, 'QUEUED', created_at, created_at
  FROM accepted WHERE attempt_id IS NOT NULL
)`;
const NOT_ACCEPTED = `SELECT id, coalesce(refusal, 'taken') AS refusal FROM asked WHERE id NOT IN (SELECT id FROM accepted)`;
const NONE = `SELECT NULL::uuid AS id, NULL AS refusal WHERE false`;

/**
 * Returns SQL that inserts bills: one round trip and one commit. For each, it inserts the row of its Idempotency-Key, the bill, its first
 * event and its attempt, which goes to the network that the number's prefix belongs to at this moment.
 * Each bill is inserted or refused by itself. Locks on keys and references are taken before anything is inserted, and a statement with
 * several bills waits for none. Rows are inserted in the order of keys and references, so that no two transactions can wait for each other
 * even if one of them does not take these locks.
 * The look-up of references uses LIMIT, because for EXISTS, PostgreSQL may plan to read all bills once, and keep that plan while they grow.
 */
function insertSql(source: string, { keys, references, attempts }: Parts): string {
  const refusals = [...(keys ? [REFUSED_BY_KEY] : []), ...(references ? [REFUSED_BY_REFERENCE] : [])];
  const asked =
    refusals.length === 0
      ? `accepted AS (SELECT * FROM ${source} AS a(${NAMES}))`
      : `asked AS MATERIALIZED (SELECT a.*, CASE ${refusals.join('\n    ')} END AS refusal FROM ${source} AS a(${NAMES}))`;
  return `
WITH ${asked}${keys ? REMEMBERED : ''}, created AS (
  INSERT INTO bill (id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, reserved_amount, created_by_id)
  SELECT id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, coalesce(attempt_amount, 0), created_by_id
  FROM accepted ORDER BY merchant_id, environment, unique_reference
), noted AS (
  INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
  SELECT id, 1, merchant_id, environment, 'bill.created', jsonb_build_object('by', created_by), created_at FROM accepted
)${attempts ? QUEUED : ''}
${keys ? NOT_ACCEPTED : NONE}`;
}

const RESULT = { columns: { id: neverNull(uuid), refusal: neverNull(text) }, prepared: true };
const typesOf = (typeOf: (type: SqlType<unknown>) => SqlType<unknown>) =>
  Object.fromEntries(COLUMNS.map(({ name, type }) => [name, typeOf(type)]));
const TURN = { waits: boolean, now: timestamptz };

const INSERT_MANY = statement({
  name: 'insert-bills',
  text: insertSql(unnest(...COLUMNS.map(({ name, type }) => `$${name}::${type.name}[]`)), { keys: true, references: true, attempts: true }),
  parameters: { ...typesOf(array), ...TURN },
  ...RESULT,
});

/** Statements for one bill without a unique reference. Each does only what its bill needs, and its parameters are not arrays. */
function insertOne(name: string, parts: { readonly keys: boolean; readonly attempts: boolean }) {
  return statement({
    name: `insert-bill${name}`,
    text: insertSql(`(SELECT ${COLUMNS.map((column) => `$${column.name}::${column.type.name}`).join(', ')})`, {
      ...parts,
      references: false,
    }),
    parameters: { ...typesOf((type) => type), ...(parts.keys && TURN) },
    ...RESULT,
  });
}

const INSERT_ONE = {
  plain: insertOne('', { keys: false, attempts: false }),
  withAttempt: insertOne('-with-attempt', { keys: false, attempts: true }),
  withKey: insertOne('-with-key', { keys: true, attempts: false }),
  withBoth: insertOne('-with-key-and-attempt', { keys: true, attempts: true }),
};

/**
 * Inserts bills. Each is inserted or refused by itself.
 * @param waits whether to wait for other transactions with the same key or reference, up to the lock time-out. Only for a single bill.
 * @returns the refusals by bill id. All other bills were inserted.
 */
async function insert(db: Queryable, rows: readonly NewBillRow[], waits: boolean): Promise<ReadonlyMap<string, InsertRefusal>> {
  const now = rows.reduce((latest, { bill }) => (bill.createdAt > latest ? bill.createdAt : latest), new Date(0));
  const [row] = rows;
  const refused =
    row && rows.length === 1 && !row.uniqueReference
      ? await oneStatement(row).rows(db, { ...valuesOf((column) => column.of(row)), waits, now })
      : await INSERT_MANY.rows(db, { ...valuesOf((column) => rows.map(column.of)), waits, now });
  return new Map(refused.map(({ id, refusal }) => [id, z.enum(REFUSALS).parse(refusal)]));
}

function oneStatement({ attempt, idempotency }: NewBillRow) {
  if (idempotency) return attempt ? INSERT_ONE.withBoth : INSERT_ONE.withKey;
  return attempt ? INSERT_ONE.withAttempt : INSERT_ONE.plain;
}

function valuesOf(read: (column: Column) => unknown): Record<string, unknown> {
  return Object.fromEntries(COLUMNS.map((column) => [column.name, read(column)]));
}

/** Inserts bills without waiting for other transactions. Returns the refusals by bill id. */
export function insertBills(db: Queryable, rows: readonly NewBillRow[]): Promise<ReadonlyMap<string, InsertRefusal>> {
  return insert(db, rows, false);
}

/** Inserts one bill, after other transactions with the same key or reference. Returns why it was refused, or undefined if it was inserted. */
export async function insertBill(db: Queryable, row: NewBillRow): Promise<InsertRefusal | undefined> {
  return (await insert(db, [row], true)).get(row.bill.id);
}

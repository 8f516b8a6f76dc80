import { z } from 'zod';
import type { Bill } from '@/lib/bills/rules';
import { ADVISORY_LOCKS } from '@/lib/db/advisory-locks';
import type { Queryable } from '@/lib/db/database';
import { array, boolean, bytes, environment, int8, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
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

/** Returns SQL that locks a column's value until the transaction ends. False if the lock is held elsewhere and `$waits` is false. */
function locked(column: string): string {
  const hash = `hashtextextended(a.merchant_id::text || a.environment::text || ${column}, ${ADVISORY_LOCKS.createBill})`;
  // pg_advisory_xact_lock waits and returns void, which is not null as a text.
  return `CASE WHEN $waits::boolean THEN pg_advisory_xact_lock(${hash})::text IS NOT NULL ELSE pg_try_advisory_xact_lock(${hash}) END`;
}

const ROWS = unnest(
  '$ids::uuid[]',
  '$merchantIds::uuid[]',
  '$environments::environment[]',
  '$amounts::bigint[]',
  '$references::text[]',
  '$uniqueReferences::text[]',
  '$mobiles::text[]',
  '$createdAts::timestamptz[]',
  '$createdBys::text[]',
  '$createdByIds::uuid[]',
  '$attemptIds::uuid[]',
  '$attemptAmounts::bigint[]',
  '$ourReferences::text[]',
  '$keys::text[]',
  '$requestHashes::bytea[]',
  '$responses::text[]',
  '$expiresAts::timestamptz[]',
);

/**
 * Inserts any number of bills in one statement: one round trip and one commit. For each, it inserts the row of its Idempotency-Key, the
 * bill, its first event and its attempt, which goes to the network that the number's prefix belongs to at this moment.
 * Each bill is inserted or refused by itself. Locks on keys and references are taken before anything is inserted, and a statement with
 * several bills waits for none. Rows are inserted in the order of keys and references, so that no two transactions can wait for each other
 * even if one of them does not take these locks.
 * The look-up of references uses LIMIT, because for EXISTS, PostgreSQL may plan to read all bills once, and keep that plan while they grow.
 */
const INSERT_BILLS = statement({
  name: 'insert-bills',
  prepared: true,
  text: `
WITH asked AS MATERIALIZED (
  SELECT a.*, CASE
    WHEN a.key IS NOT NULL AND NOT ${locked("' key ' || a.key")} THEN 'busy'
    WHEN a.unique_reference IS NULL THEN NULL
    WHEN NOT ${locked("' reference ' || a.unique_reference")} THEN 'busy'
    WHEN (SELECT b.id FROM bill b WHERE b.merchant_id = a.merchant_id AND b.environment = a.environment
            AND b.unique_reference = a.unique_reference LIMIT 1) IS NOT NULL THEN 'used'
  END AS refusal
  FROM ${ROWS}
    AS a(id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, created_by, created_by_id, attempt_id,
      attempt_amount, our_reference, key, request_hash, response, expires_at)
), remembered AS (
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
), created AS (
  INSERT INTO bill (id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, reserved_amount, created_by_id)
  SELECT id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, coalesce(attempt_amount, 0), created_by_id
  FROM accepted ORDER BY merchant_id, environment, unique_reference
), noted AS (
  INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
  SELECT id, 1, merchant_id, environment, 'bill.created', jsonb_build_object('by', created_by), created_at FROM accepted
), queued AS (
  INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
  SELECT attempt_id, merchant_id, environment, id, 'api', mobile, ${networkByPrefix('mobile')}, attempt_amount, our_reference, 'QUEUED', created_at, created_at
  FROM accepted WHERE attempt_id IS NOT NULL
)
SELECT id, coalesce(refusal, 'taken') AS refusal FROM asked WHERE id NOT IN (SELECT id FROM accepted)`,
  parameters: {
    ids: array(uuid),
    merchantIds: array(uuid),
    environments: array(environment),
    amounts: array(int8),
    references: array(text),
    uniqueReferences: array(nullable(text)),
    mobiles: array(nullable(text)),
    createdAts: array(timestamptz),
    createdBys: array(text),
    createdByIds: array(nullable(uuid)),
    attemptIds: array(nullable(uuid)),
    attemptAmounts: array(nullable(int8)),
    ourReferences: array(nullable(text)),
    keys: array(nullable(text)),
    requestHashes: array(nullable(bytes)),
    responses: array(nullable(text)),
    expiresAts: array(nullable(timestamptz)),
    waits: boolean,
    now: timestamptz,
  },
  columns: { id: neverNull(uuid), refusal: neverNull(text) },
});

/**
 * Inserts bills. Each is inserted or refused by itself.
 * @param waits whether to wait for other transactions with the same key or reference, up to the lock time-out. Only for a single bill.
 * @returns the refusals by bill id. All other bills were inserted.
 */
async function insert(db: Queryable, rows: readonly NewBillRow[], waits: boolean): Promise<ReadonlyMap<string, InsertRefusal>> {
  const refused = await INSERT_BILLS.rows(db, {
    ids: rows.map(({ bill }) => bill.id),
    merchantIds: rows.map(({ bill }) => bill.merchantId),
    environments: rows.map(({ bill }) => bill.environment),
    amounts: rows.map(({ bill }) => bill.amount),
    references: rows.map(({ bill }) => bill.reference),
    uniqueReferences: rows.map(({ bill, uniqueReference }) => (uniqueReference ? bill.reference : null)),
    mobiles: rows.map(({ bill }) => bill.mobile),
    createdAts: rows.map(({ bill }) => bill.createdAt),
    createdBys: rows.map(({ createdBy }) => createdBy),
    createdByIds: rows.map(({ createdById }) => createdById),
    attemptIds: rows.map(({ attempt }) => attempt?.id ?? null),
    attemptAmounts: rows.map(({ attempt }) => attempt?.amount ?? null),
    ourReferences: rows.map(({ attempt }) => attempt?.ourReference ?? null),
    keys: rows.map(({ idempotency }) => idempotency?.key ?? null),
    requestHashes: rows.map(({ idempotency }) => idempotency?.requestHash ?? null),
    responses: rows.map(({ idempotency }) => idempotency?.response ?? null),
    expiresAts: rows.map(({ idempotency }) => idempotency?.expiresAt ?? null),
    waits,
    now: rows.reduce((latest, { bill }) => (bill.createdAt > latest ? bill.createdAt : latest), new Date(0)),
  });
  return new Map(refused.map(({ id, refusal }) => [id, z.enum(REFUSALS).parse(refusal)]));
}

/** Inserts bills without waiting for other transactions. Returns the refusals by bill id. */
export function insertBills(db: Queryable, rows: readonly NewBillRow[]): Promise<ReadonlyMap<string, InsertRefusal>> {
  return insert(db, rows, false);
}

/** Inserts one bill, after other transactions with the same key or reference. Returns why it was refused, or undefined if it was inserted. */
export async function insertBill(db: Queryable, row: NewBillRow): Promise<InsertRefusal | undefined> {
  return (await insert(db, [row], true)).get(row.bill.id);
}

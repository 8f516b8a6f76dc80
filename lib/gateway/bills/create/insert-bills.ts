import { z } from 'zod';
import { type FullInfo, NEW_INFO_COLUMNS } from '@/lib/gateway/bills/bill-info';
import type { Bill } from '@/lib/gateway/bills/rules';
import { networkByPrefix } from '@/lib/gateway/networks/store';
import { reach } from '@/lib/platform/config/fail-point';
import type { Environment } from '@/lib/platform/core/scope';
import { ADVISORY_LOCKS } from '@/lib/platform/db/advisory-locks';
import type { Database, Queryable } from '@/lib/platform/db/database';
import { isBusy, isDatabaseUnavailable } from '@/lib/platform/db/errors';
import { idempotencyKey, pushAttempt, bill as stored } from '@/lib/platform/db/generated/tables';
import { array, boolean, bytes, neverNull, nullable, type SqlType, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { unnest } from '@/lib/platform/db/unnest';
import { recorder } from '@/lib/platform/metrics/recorder';
import { createFairQueue } from '@/lib/platform/queues/fair-queue';
import { createNaturalBatcher } from '@/lib/platform/queues/natural-batcher';

export interface NewBillRow {
  readonly bill: Bill;
  readonly createdBy: string;
  /** The person who created the bill in the dashboard, or null. */
  readonly createdById: string | null;
  readonly uniqueReference: boolean;
  /** The optional values of the bill. Most bills have none: null. */
  readonly info: Partial<FullInfo> | null;
  readonly attempt: { id: string; amount: bigint; ourReference: string } | null;
  readonly idempotency: { key: string; requestHash: Uint8Array; response: string; expiresAt: Date } | null;
}

/**
 * Why a bill was not inserted. `taken`: an earlier request stored its Idempotency-Key. `used`: another bill has its unique reference.
 * `busy`: another transaction is creating a bill with this key or reference.
 */
const REFUSALS = ['taken', 'used', 'busy'] as const;
type InsertRefusal = (typeof REFUSALS)[number];
export type InsertOutcome = InsertRefusal | 'inserted';

/** Inserts a bill. The bill is durable when the promise resolves. */
export type InsertBill = (row: NewBillRow) => Promise<InsertOutcome>;

/**
 * Inserts bills of the API. One SQL statement inserts all bills that arrive at the same time: see {@link createNaturalBatcher}. Live and
 * the sandbox have separate queues, so no statement inserts bills of both environments.
 */
export interface InsertQueue {
  /** @param keyId the API key. API keys take turns, so that no key fills all batches. */
  insert(keyId: string, row: NewBillRow): Promise<InsertOutcome>;
}

export function createInsertQueue(db: Database, lanes = 2): InsertQueue {
  const batcher = () =>
    createNaturalBatcher<NewBillRow, InsertOutcome>({
      lanes,
      sizeMax: 100,
      waitingMax: 5_000,
      waitingOfOneMax: 1_000,
      waitMs: 10_000,
      runBatch: (rows) => insertBatch(db, rows),
      runAlone: (row) => insertBill(db, row),
      aloneQueue: createFairQueue({ concurrency: 2, waitingOfOne: 500, waiting: 2_000, waitMs: 10_000 }),
      // The statement is repeated if the database has certainly not executed it: the database was busy, or answered with an error. If the
      // connection was lost, it is unknown whether the bills were inserted, so the statement must not be repeated.
      mayRepeat: (error) => isBusy(error) || !isDatabaseUnavailable(error),
      onBatch: (size) => recorder()?.batchRun('insert', size),
      onRefusal: () => recorder()?.overloaded('insert'),
    });
  const batchers: Readonly<Record<Environment, ReturnType<typeof batcher>>> = { live: batcher(), sandbox: batcher() };
  return { insert: (keyId, row) => batchers[row.bill.environment].add(keyId, row) };
}

/** Inserts one bill. Waits for other transactions with the same key or reference. */
export async function insertBill(db: Queryable, row: NewBillRow): Promise<InsertOutcome> {
  return (await insertRows(db, [row], { waits: true })).get(row.bill.id) ?? 'inserted';
}

/**
 * Inserts bills in one statement and returns the result of each. The result is undefined for a bill that must be inserted alone: another
 * transaction holds one of its locks, or its reference must be unique and an earlier bill of the batch has the same reference.
 */
async function insertBatch(db: Database, rows: readonly NewBillRow[]): Promise<(InsertOutcome | undefined)[]> {
  const references = new Set<string>();
  const together = rows.filter(({ bill, uniqueReference }) => {
    const name = `${bill.merchantId} ${bill.environment} ${bill.reference}`;
    if (!uniqueReference || !references.has(name)) return references.add(name);
    return false;
  });
  reach('create.batched');
  const refusals = await insertRows(db, together, { waits: false });
  reach('create.batch_committed');
  const inserted = new Set(together);
  return rows.map((row) => {
    const refusal = inserted.has(row) ? (refusals.get(row.bill.id) ?? 'inserted') : 'busy';
    return refusal === 'busy' ? undefined : refusal;
  });
}

/** A column of the new rows: its type, and its value for a bill. */
interface Column {
  readonly type: SqlType<unknown>;
  readonly of: (row: NewBillRow) => unknown;
}

function column<Value>(type: SqlType<Value>, of: (row: NewBillRow) => Value): Column {
  return { type, of };
}

/** The columns of the table `bill`. */
const BILL: Readonly<Record<string, Column>> = {
  id: column(stored.id, ({ bill }) => bill.id),
  merchant_id: column(stored.merchantId, ({ bill }) => bill.merchantId),
  environment: column(stored.environment, ({ bill }) => bill.environment),
  amount: column(stored.amount, ({ bill }) => bill.amount),
  reserved_amount: column(stored.reservedAmount, ({ bill }) => bill.reservedAmount),
  reference: column(stored.reference, ({ bill }) => bill.reference),
  unique_reference: column(stored.uniqueReference, ({ bill, uniqueReference }) => (uniqueReference ? bill.reference : null)),
  mobile: column(stored.mobile, ({ bill }) => bill.mobile),
  created_at: column(stored.createdAt, ({ bill }) => bill.createdAt),
  created_by_id: column(stored.createdById, ({ createdById }) => createdById),
  ...Object.fromEntries(NEW_INFO_COLUMNS.map(({ column: name, type, of }) => [name, column(type, ({ info }) => of(info))])),
};

/** The columns of all rows that a new bill needs. */
const COLUMNS: Readonly<Record<string, Column>> = {
  ...BILL,
  created_by: column(text, ({ createdBy }) => createdBy),
  attempt_id: column(nullable(pushAttempt.id), ({ attempt }) => attempt?.id ?? null),
  attempt_amount: column(nullable(pushAttempt.amount), ({ attempt }) => attempt?.amount ?? null),
  our_reference: column(nullable(pushAttempt.ourReference), ({ attempt }) => attempt?.ourReference ?? null),
  key: column(nullable(idempotencyKey.key), ({ idempotency }) => idempotency?.key ?? null),
  request_hash: column(nullable(bytes), ({ idempotency }) => idempotency?.requestHash ?? null),
  response: column(nullable(idempotencyKey.response), ({ idempotency }) => idempotency?.response ?? null),
  key_expires_at: column(nullable(idempotencyKey.expiresAt), ({ idempotency }) => idempotency?.expiresAt ?? null),
};

const ARRAYS = Object.fromEntries(Object.entries(COLUMNS).map(([name, { type }]) => [name, array(type)]));
const BILL_NAMES = Object.keys(BILL).join(', ');

/**
 * Returns an SQL condition that locks a value until the transaction ends. The condition is false if another transaction has the lock and
 * `$waits` is false.
 */
function locked(value: string): string {
  const hash = `hashtextextended(merchant_id::text || environment::text || ${value}, ${ADVISORY_LOCKS.createBill})`;
  // pg_advisory_xact_lock waits and returns void, which is not null as a text.
  return `CASE WHEN $waits THEN pg_advisory_xact_lock(${hash})::text IS NOT NULL ELSE pg_try_advisory_xact_lock(${hash}) END`;
}

/**
 * Inserts any number of bills: one round trip and one commit. For each bill, it inserts the row of its Idempotency-Key, the bill, its first
 * event and its attempt, which goes to the network that the number's prefix belongs to at this moment. Returns the refused bills.
 * A refused bill does not prevent the others from being inserted. Locks on keys and references are taken before anything is inserted, and
 * only a statement with `$waits` waits for a lock. Rows are inserted in the order of keys and references, so that no two transactions can
 * wait for each other even if one of them does not take these locks.
 * The look-up of references uses LIMIT, because for EXISTS, PostgreSQL may plan to read all bills once, and keep that plan while they grow.
 */
const INSERT_BILLS = statement({
  name: 'insert-bills',
  prepared: true,
  text: `
WITH requested AS MATERIALIZED (
  SELECT a.*, CASE
    WHEN key IS NOT NULL AND NOT ${locked("' key ' || key")} THEN 'busy'
    WHEN unique_reference IS NULL THEN NULL
    WHEN NOT ${locked("' reference ' || unique_reference")} THEN 'busy'
    WHEN (SELECT b.id FROM bill b WHERE b.merchant_id = a.merchant_id AND b.environment = a.environment
            AND b.unique_reference = a.unique_reference LIMIT 1) IS NOT NULL THEN 'used'
  END AS refusal
  FROM ${unnest(ARRAYS, 'a')}
), remembered AS (
  INSERT INTO idempotency_key (merchant_id, environment, key, request_hash, response, expires_at)
  SELECT merchant_id, environment, key, request_hash, response, key_expires_at FROM requested
  WHERE refusal IS NULL AND key IS NOT NULL ORDER BY merchant_id, environment, key
  ON CONFLICT (merchant_id, environment, key) DO UPDATE
    SET request_hash = EXCLUDED.request_hash, response = EXCLUDED.response, expires_at = EXCLUDED.expires_at
    WHERE idempotency_key.expires_at <= $now
  RETURNING merchant_id, environment, key
), accepted AS MATERIALIZED (
  SELECT * FROM requested
  WHERE refusal IS NULL AND (key IS NULL OR (merchant_id, environment, key) IN (SELECT merchant_id, environment, key FROM remembered))
), created AS (
  INSERT INTO bill (${BILL_NAMES})
  SELECT ${BILL_NAMES} FROM accepted ORDER BY merchant_id, environment, unique_reference
), noted AS (
  INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
  SELECT id, 1, merchant_id, environment, 'bill.created', jsonb_build_object('by', created_by), created_at FROM accepted
), queued AS (
  INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
  SELECT attempt_id, merchant_id, environment, id, 'api', mobile, ${networkByPrefix('mobile')}, attempt_amount, our_reference, 'QUEUED',
    created_at, created_at
  FROM accepted WHERE attempt_id IS NOT NULL
)
SELECT id, coalesce(refusal, 'taken') AS refusal FROM requested WHERE id NOT IN (SELECT id FROM accepted)`,
  parameters: { ...ARRAYS, waits: boolean, now: timestamptz },
  columns: { id: neverNull(stored.id), refusal: neverNull(text) },
});

/**
 * Inserts bills in one statement.
 * @param waits whether to wait for other transactions with the same key or reference, up to the lock time-out. Only for a single bill.
 * @returns the refusals by bill id. All other bills were inserted.
 */
async function insertRows(
  db: Queryable,
  rows: readonly NewBillRow[],
  { waits }: { readonly waits: boolean },
): Promise<ReadonlyMap<string, InsertRefusal>> {
  const refused = await INSERT_BILLS.rows(db, {
    ...Object.fromEntries(Object.entries(COLUMNS).map(([name, { of }]) => [name, rows.map(of)])),
    waits,
    now: rows.reduce((latest, { bill }) => (bill.createdAt > latest ? bill.createdAt : latest), new Date(0)),
  });
  return new Map(refused.map(({ id, refusal }) => [id, z.enum(REFUSALS).parse(refusal)]));
}

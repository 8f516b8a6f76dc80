import type { BillExtras } from '@/lib/bills/bill-extras';
import type { BillInfo } from '@/lib/bills/bill-info';
import type { Bill } from '@/lib/bills/rules';
import { ADVISORY_LOCKS } from '@/lib/db/advisory-locks';
import { bytes, environment, int8, jsonb, nullable, type SqlType, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { networkByPrefix } from '@/lib/networks/store';

// The parts of the SQL statements in insert-store.ts. A statement for one bill reads the bill's values from parameters. A statement for
// several bills reads their values from columns.

export interface NewBillRow {
  readonly bill: Bill;
  readonly createdBy: string;
  /** The person who created the bill in the dashboard, or null. */
  readonly createdById: string | null;
  readonly uniqueReference: boolean;
  /** The optional values of the bill. Most bills have none: null. */
  readonly info: BillInfo | null;
  readonly extras: BillExtras | null;
  readonly attempt: { id: string; amount: bigint; ourReference: string } | null;
  readonly idempotency: { key: string; requestHash: Uint8Array; response: string; expiresAt: Date } | null;
}

/** A group of values that only some bills have. The SQL statement for one bill contains only the groups that this bill has. */
export type Part = 'reference' | 'attempt' | 'key' | 'info';

/** A column of the rows that a statement inserts. */
export interface Column {
  readonly name: string;
  readonly type: SqlType<unknown>;
  readonly of: (row: NewBillRow) => unknown;
  readonly part: Part | undefined;
}

function column<Value>(name: string, type: SqlType<Value>, of: (row: NewBillRow) => Value, part?: Part): Column {
  return { name, type, of, part };
}

export const COLUMNS = [
  column('id', uuid, ({ bill }) => bill.id),
  column('merchant_id', uuid, ({ bill }) => bill.merchantId),
  column('environment', environment, ({ bill }) => bill.environment),
  column('amount', int8, ({ bill }) => bill.amount),
  column('reference', text, ({ bill }) => bill.reference),
  column('mobile', nullable(text), ({ bill }) => bill.mobile),
  column('created_at', timestamptz, ({ bill }) => bill.createdAt),
  column('created_by', text, ({ createdBy }) => createdBy),
  column('created_by_id', nullable(uuid), ({ createdById }) => createdById),
  column('unique_reference', nullable(text), ({ bill, uniqueReference }) => (uniqueReference ? bill.reference : null), 'reference'),
  column('customer_name', nullable(text), ({ info }) => info?.customerName ?? null, 'info'),
  column('description', nullable(text), ({ info }) => info?.description ?? null, 'info'),
  column('due_at', nullable(timestamptz), ({ info }) => info?.dueAt ?? null, 'info'),
  column('customer_email', nullable(text), ({ extras }) => extras?.customerEmail ?? null, 'info'),
  // Each object is sent as JSON text. The driver would convert an array of objects to a PostgreSQL array instead of JSON.
  column('metadata', nullable(jsonb), ({ extras }) => (extras?.metadata ? JSON.stringify(extras.metadata) : null), 'info'),
  // This column cannot be called `expires_at`, because that name is used below for the time when the Idempotency-Key expires.
  column('bill_expires_at', nullable(timestamptz), ({ extras }) => extras?.expiresAt ?? null, 'info'),
  column('return_url', nullable(text), ({ extras }) => extras?.returnUrl ?? null, 'info'),
  column('language', nullable(text), ({ extras }) => extras?.language ?? null, 'info'),
  column('attempt_id', nullable(uuid), ({ attempt }) => attempt?.id ?? null, 'attempt'),
  column('attempt_amount', nullable(int8), ({ attempt }) => attempt?.amount ?? null, 'attempt'),
  column('our_reference', nullable(text), ({ attempt }) => attempt?.ourReference ?? null, 'attempt'),
  column('key', nullable(text), ({ idempotency }) => idempotency?.key ?? null, 'key'),
  column('request_hash', nullable(bytes), ({ idempotency }) => idempotency?.requestHash ?? null, 'key'),
  column('response', nullable(text), ({ idempotency }) => idempotency?.response ?? null, 'key'),
  column('expires_at', nullable(timestamptz), ({ idempotency }) => idempotency?.expiresAt ?? null, 'key'),
];

/** Returns an SQL list with the value of each given column of a new bill. Each value is a column name or a parameter. */
export type Values = (...columns: readonly string[]) => string;

/**
 * Returns an SQL condition that locks a value until the transaction ends. The condition is false if another transaction has the lock and
 * `$waits` is false.
 */
function locked(values: Values, value: string): string {
  const scope = `${values('merchant_id')}::text || ${values('environment')}::text`;
  const hash = `hashtextextended(${scope} || ${value}, ${ADVISORY_LOCKS.createBill})`;
  // pg_advisory_xact_lock waits and returns void, which is not null as a text.
  return `CASE WHEN $waits::boolean THEN pg_advisory_xact_lock(${hash})::text IS NOT NULL ELSE pg_try_advisory_xact_lock(${hash}) END`;
}

export const lockedKey = (values: Values) => locked(values, `' key ' || ${values('key')}`);
export const lockedReference = (values: Values) => locked(values, `' reference ' || ${values('unique_reference')}`);

export const insertKeys = (values: Values, from: string) => `
  INSERT INTO idempotency_key (merchant_id, environment, key, request_hash, response, expires_at)
  SELECT ${values('merchant_id', 'environment', 'key', 'request_hash', 'response', 'expires_at')} ${from}
  ON CONFLICT (merchant_id, environment, key) DO UPDATE
    SET request_hash = EXCLUDED.request_hash, response = EXCLUDED.response, expires_at = EXCLUDED.expires_at
    WHERE idempotency_key.expires_at <= $now::timestamptz
  RETURNING merchant_id, environment, key`;
const INFO = COLUMNS.flatMap(({ name, part }) => (part === 'info' ? [name] : []));
/** @param info true to insert the optional values of the bills too; false only if no bill has any */
export const insertBillRows = (values: Values, from: string, info: boolean) => `
  INSERT INTO bill (id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, created_by_id, reserved_amount${info ? `, ${INFO.join(', ').replace('bill_expires_at', 'expires_at')}` : ''})
  SELECT ${values('id', 'merchant_id', 'environment', 'amount', 'reference', 'unique_reference', 'mobile', 'created_at', 'created_by_id')},
    coalesce(${values('attempt_amount')}, 0)${info ? `, ${values(...INFO)}` : ''} ${from}`;
export const insertEvents = (values: Values, from: string) => `
  INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
  SELECT ${values('id')}, 1, ${values('merchant_id', 'environment')}, 'bill.created', jsonb_build_object('by', ${values('created_by')}),
    ${values('created_at')} ${from}`;
export const insertAttempts = (values: Values, from: string) => `
  INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
  SELECT ${values('attempt_id', 'merchant_id', 'environment', 'id')}, 'api', ${values('mobile')}, ${networkByPrefix(values('mobile'))},
    ${values('attempt_amount', 'our_reference')}, 'QUEUED', ${values('created_at', 'created_at')} ${from}`;

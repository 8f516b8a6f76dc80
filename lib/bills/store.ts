import type { Scope } from '@/lib/config/runtime';
import type { Queryable } from '@/lib/db/database';
import type { Locale } from '@/lib/i18n/translator';
import type { Brand } from '@/lib/merchants/brand-rules';
import { BRAND_COLUMNS } from '@/lib/merchants/brand-store';
import { networkByPrefix } from '@/lib/networks/store';
import type { Bill } from './rules';

/** The columns of a Bill, of a table aliased `b`. */
export const BILL_COLUMNS = `b.id, b.merchant_id AS "merchantId", b.environment, b.amount, b.reference, b.mobile, b.paid_amount AS "paidAmount",
  b.reserved_amount AS "reservedAmount", b.status, b.created_at AS "createdAt", b.paid_at AS "paidAt", b.closed_at AS "closedAt"`;

export interface NewBillRow {
  readonly bill: Bill;
  readonly createdBy: string;
  /** The person, where one made it in the dashboard. */
  readonly createdById: string | null;
  readonly uniqueReference: boolean;
  readonly attempt: { id: string; amount: bigint; ourReference: string } | null;
  readonly idempotency: { key: string; requestHash: Uint8Array; response: string; expiresAt: Date } | null;
}

/**
 * One statement, so one round trip and one commit: the idempotency row, the bill, its first event and its push attempt, to
 * the network that the number's prefix belongs to now.
 * Without an idempotency row of its own (somebody else's is there and has not expired) nothing else is inserted. An insert
 * that meets the same key still being committed waits for that transaction, up to the lock time-out.
 */
export const INSERT_BILL = {
  name: 'insert-bill',
  text: `
WITH remembered AS (
  INSERT INTO idempotency_key (merchant_id, environment, key, request_hash, response, expires_at)
  SELECT $2::uuid, $3::environment, $12::text, $13::bytea, $14::text, $15::timestamptz WHERE $12::text IS NOT NULL
  ON CONFLICT (merchant_id, environment, key) DO UPDATE
    SET request_hash = EXCLUDED.request_hash, response = EXCLUDED.response, expires_at = EXCLUDED.expires_at
    WHERE idempotency_key.expires_at <= $8::timestamptz
  RETURNING 1
), created AS (
  INSERT INTO bill (id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, reserved_amount, created_by_id)
  SELECT $1::uuid, $2::uuid, $3::environment, $4::bigint, $5::text, $6::text, $7::text, $8::timestamptz, coalesce($10::bigint, 0), $17::uuid
  WHERE $12::text IS NULL OR EXISTS (SELECT 1 FROM remembered)
  RETURNING id
), noted AS (
  INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
  SELECT id, 1, $2::uuid, $3::environment, 'bill.created', jsonb_build_object('by', $16::text), $8::timestamptz FROM created
), queued AS (
  INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
  SELECT $9::uuid, $2::uuid, $3::environment, id, 'api', $7::text, ${networkByPrefix('$7::text')}, $10::bigint, $11::text, 'QUEUED', $8::timestamptz, $8::timestamptz
  FROM created WHERE $9::uuid IS NOT NULL
)
SELECT id FROM created`,
};

/** @returns whether the bill was inserted; false when its idempotency key is taken. */
export async function insertBill(db: Queryable, row: NewBillRow): Promise<boolean> {
  const { bill, createdBy, createdById, uniqueReference, attempt, idempotency } = row;
  const rows = await db.query<{ id: string }>(INSERT_BILL, [
    bill.id,
    bill.merchantId,
    bill.environment,
    bill.amount,
    bill.reference,
    uniqueReference ? bill.reference : null,
    bill.mobile,
    bill.createdAt,
    attempt?.id ?? null,
    attempt?.amount ?? null,
    attempt?.ourReference ?? null,
    idempotency?.key ?? null,
    idempotency?.requestHash ?? null,
    idempotency?.response ?? null,
    idempotency?.expiresAt ?? null,
    createdBy,
    createdById,
  ]);
  return rows.length > 0;
}

/** @returns the first answer kept for a key, unless it has expired. */
export async function findRemembered(
  db: Queryable,
  scope: Scope,
  key: string,
  now: Date,
): Promise<{ requestHash: Uint8Array; response: string } | undefined> {
  const [row] = await db.query<{ requestHash: Uint8Array; response: string }>(
    {
      text: `SELECT request_hash AS "requestHash", response FROM idempotency_key
             WHERE merchant_id = $1 AND environment = $2 AND key = $3 AND expires_at > $4`,
    },
    [scope.merchantId, scope.environment, key, now],
  );
  return row;
}

/** Forgets answers kept long enough. @returns how many went, at most a thousand at a time. */
export async function deleteExpiredKeys(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query(
    {
      text: `DELETE FROM idempotency_key WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency_key WHERE expires_at <= $1 LIMIT 1000)) AND expires_at <= $1
             RETURNING 1 AS gone`,
    },
    [now],
  );
  return rows.length;
}

export const SELECT_BILL = {
  name: 'select-bill',
  text: `SELECT ${BILL_COLUMNS} FROM bill b WHERE b.id = $1 AND b.merchant_id = $2 AND b.environment = $3`,
};

export async function findBill(db: Queryable, scope: Scope, id: string): Promise<Bill | undefined> {
  const [bill] = await db.query<Bill>(SELECT_BILL, [id, scope.merchantId, scope.environment]);
  return bill;
}

/** Whose bills may be found: those of one person, or with null all of the merchant's in the environment. */
export interface BillsOf {
  readonly scope: Scope;
  readonly billsOf: string | null;
}

export async function findBillOf(db: Queryable, { scope, billsOf }: BillsOf, id: string): Promise<Bill | undefined> {
  const [bill] = await db.query<Bill>({ text: `${SELECT_BILL.text} AND ($4::uuid IS NULL OR b.created_by_id = $4)` }, [
    id,
    scope.merchantId,
    scope.environment,
    billsOf,
  ]);
  return bill;
}

/** Closes a bill that the caller has locked, or opens it again with null. */
export async function setClosed(tx: Queryable, id: string, at: Date | null): Promise<void> {
  await tx.query({ text: 'UPDATE bill SET closed_at = $2 WHERE id = $1' }, [id, at]);
}

/** A bill with what its page says of the merchant. */
export type LinkedBill = Bill &
  Brand & {
    readonly merchantName: string;
    /** The language of its page where nobody chose one; null for the browser's. */
    readonly merchantLanguage: Locale | null;
    readonly merchantActive: boolean;
    /** Whether the merchant takes its bills in parts. */
    readonly partialPayments: boolean;
  };

/** For the customer's page: whoever has the link may see the bill's own facts. */
export async function findBillByLink(db: Queryable, environment: Scope['environment'], id: string): Promise<LinkedBill | undefined> {
  const [bill] = await db.query<LinkedBill>(
    {
      name: 'select-bill-by-link',
      text: `SELECT ${BILL_COLUMNS}, m.name AS "merchantName", m.language AS "merchantLanguage", p.status = 'active' AS "merchantActive",
               p.partial_payments AS "partialPayments", ${BRAND_COLUMNS}
             FROM bill b JOIN merchant m ON m.id = b.merchant_id
             JOIN merchant_profile p ON p.merchant_id = b.merchant_id AND p.environment = b.environment
             WHERE b.id = $1 AND b.environment = $2`,
    },
    [id, environment],
  );
  return bill;
}

/** @returns the oldest bill with a reference. */
export async function findBillByReference(db: Queryable, scope: Scope, reference: string): Promise<{ id: string } | undefined> {
  const [bill] = await db.query<{ id: string }>(
    { text: 'SELECT id FROM bill WHERE merchant_id = $1 AND environment = $2 AND reference = $3 ORDER BY id LIMIT 1' },
    [scope.merchantId, scope.environment, reference],
  );
  return bill;
}

/** Of any merchant: for the operator. */
export async function findAnyBill(db: Queryable, id: string): Promise<Bill | undefined> {
  const [bill] = await db.query<Bill>({ text: `SELECT ${BILL_COLUMNS} FROM bill b WHERE b.id = $1` }, [id]);
  return bill;
}

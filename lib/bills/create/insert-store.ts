import type { Bill } from '@/lib/bills/rules';
import type { Queryable } from '@/lib/db/database';
import { bytes, environment, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
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
 * Inserts the idempotency row, the bill, its first event and its attempt in one statement: one round trip and one commit. The attempt goes
 * to the network that the number's prefix belongs to at this moment.
 * If the idempotency key is taken and has not expired, nothing is inserted. If another transaction is inserting the same key, the statement
 * waits for it, up to the lock time-out.
 */
const INSERT_BILL = statement({
  name: 'insert-bill',
  prepared: true,
  text: `
WITH remembered AS (
  INSERT INTO idempotency_key (merchant_id, environment, key, request_hash, response, expires_at)
  SELECT $merchantId::uuid, $environment::environment, $key::text, $requestHash::bytea, $response::text, $expiresAt::timestamptz WHERE $key::text IS NOT NULL
  ON CONFLICT (merchant_id, environment, key) DO UPDATE
    SET request_hash = EXCLUDED.request_hash, response = EXCLUDED.response, expires_at = EXCLUDED.expires_at
    WHERE idempotency_key.expires_at <= $createdAt::timestamptz
  RETURNING 1
), created AS (
  INSERT INTO bill (id, merchant_id, environment, amount, reference, unique_reference, mobile, created_at, reserved_amount, created_by_id)
  SELECT $id::uuid, $merchantId::uuid, $environment::environment, $amount::bigint, $reference::text, $uniqueReference::text, $mobile::text, $createdAt::timestamptz, coalesce($attemptAmount::bigint, 0), $createdById::uuid
  WHERE $key::text IS NULL OR EXISTS (SELECT 1 FROM remembered)
  RETURNING id
), noted AS (
  INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
  SELECT id, 1, $merchantId::uuid, $environment::environment, 'bill.created', jsonb_build_object('by', $createdBy::text), $createdAt::timestamptz FROM created
), queued AS (
  INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
  SELECT $attemptId::uuid, $merchantId::uuid, $environment::environment, id, 'api', $mobile::text, ${networkByPrefix('$mobile::text')}, $attemptAmount::bigint, $ourReference::text, 'QUEUED', $createdAt::timestamptz, $createdAt::timestamptz
  FROM created WHERE $attemptId::uuid IS NOT NULL
)
SELECT id FROM created`,
  parameters: {
    id: uuid,
    merchantId: uuid,
    environment,
    amount: int8,
    reference: text,
    uniqueReference: nullable(text),
    mobile: nullable(text),
    createdAt: timestamptz,
    attemptId: nullable(uuid),
    attemptAmount: nullable(int8),
    ourReference: nullable(text),
    key: nullable(text),
    requestHash: nullable(bytes),
    response: nullable(text),
    expiresAt: nullable(timestamptz),
    createdBy: text,
    createdById: nullable(uuid),
  },
  columns: { id: uuid },
});

/** Returns whether the bill was inserted. It was not if its idempotency key is taken. */
export async function insertBill(db: Queryable, row: NewBillRow): Promise<boolean> {
  const { bill, createdBy, createdById, uniqueReference, attempt, idempotency } = row;
  const rows = await INSERT_BILL.rows(db, {
    id: bill.id,
    merchantId: bill.merchantId,
    environment: bill.environment,
    amount: bill.amount,
    reference: bill.reference,
    uniqueReference: uniqueReference ? bill.reference : null,
    mobile: bill.mobile,
    createdAt: bill.createdAt,
    attemptId: attempt?.id ?? null,
    attemptAmount: attempt?.amount ?? null,
    ourReference: attempt?.ourReference ?? null,
    key: idempotency?.key ?? null,
    requestHash: idempotency?.requestHash ?? null,
    response: idempotency?.response ?? null,
    expiresAt: idempotency?.expiresAt ?? null,
    createdBy,
    createdById,
  });
  return rows.length > 0;
}

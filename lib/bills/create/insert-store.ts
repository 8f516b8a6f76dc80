import type { Bill } from '@/lib/bills/rules';
import type { Queryable } from '@/lib/db/database';
import { networkByPrefix } from '@/lib/networks/store';

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
const INSERT_BILL = {
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

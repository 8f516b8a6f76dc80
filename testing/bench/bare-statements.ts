// The SQL statements of the baseline: copies of the product's statements of 2026-11-22. They never change, so that later measurements
// are comparable.

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
  SELECT $9::uuid, $2::uuid, $3::environment, id, 'api', $7::text, coalesce((SELECT network FROM network_prefix WHERE prefix = substr($7::text, 2, 2)), 'other'), $10::bigint, $11::text, 'QUEUED', $8::timestamptz, $8::timestamptz
  FROM created WHERE $9::uuid IS NOT NULL
)
SELECT id FROM created`,
};

export const SELECT_BILL = {
  name: 'select-bill',
  text: `
SELECT b.id, b.amount, b.reference, b.mobile, b.paid_amount AS "paidAmount", b.status, b.created_at AS "createdAt", b.paid_at AS "paidAt",
  b.closed_at AS "closedAt", b.reversed_amount AS "reversedAmount", a.state AS "attemptState", a.failure_reason AS "attemptReason", a.at AS "attemptAt"
FROM (SELECT * FROM bill WHERE id = $1 OFFSET 0) b
LEFT JOIN LATERAL (
  SELECT state, failure_reason, greatest(created_at, sent_at, unknown_since, released_at, settled_at) AS at
  FROM (SELECT * FROM push_attempt WHERE bill_id = b.id OFFSET 0) own ORDER BY id DESC LIMIT 1) a ON true
WHERE b.merchant_id = $2 AND b.environment = $3`,
};

import type { Bill } from '@/lib/bills/rules';
import type { Scope } from '@/lib/config/runtime';
import type { Queryable } from '@/lib/db/database';

export interface Endpoint extends Scope {
  readonly id: string;
  readonly url: string | null;
  readonly encryptedSecret: Uint8Array;
}

const ENDPOINT_COLUMNS = 'id, merchant_id AS "merchantId", environment, url, encrypted_secret AS "encryptedSecret"';

export async function findEndpoint(db: Queryable, scope: Scope): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>(
    { text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint WHERE merchant_id = $1 AND environment = $2` },
    [scope.merchantId, scope.environment],
  );
  return endpoint;
}

/** @returns one of all endpoints, to see whether its secret can be read; undefined while there is none. */
export async function findAnyEndpoint(db: Queryable): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>({ text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint ORDER BY id LIMIT 1` });
  return endpoint;
}

/** What an endpoint's secret is encrypted for. */
export function webhookContext({ merchantId, environment }: Scope): string {
  return `webhook:${merchantId}:${environment}`;
}

export async function updateEndpointUrl(db: Queryable, scope: Scope, url: string, now: Date): Promise<void> {
  await db.query({ text: 'UPDATE webhook_endpoint SET url = $3, updated_at = $4 WHERE merchant_id = $1 AND environment = $2' }, [
    scope.merchantId,
    scope.environment,
    url,
    now,
  ]);
}

/** Owed to the endpoint that has an address, in order: behind one of the same bill that is still open it waits, blocked. */
export async function insertDelivery(
  tx: Queryable,
  { id, bill, eventNumber, body, now }: { id: string; bill: Bill; eventNumber: number; body: Uint8Array; now: Date },
): Promise<void> {
  await tx.query(
    {
      text: `
INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, due_at, created_at)
SELECT $1, $2, $3, e.id, $4, $5, $6, $7,
  CASE WHEN waits.behind THEN 'BLOCKED'::delivery_state ELSE 'PENDING'::delivery_state END,
  CASE WHEN waits.behind THEN NULL ELSE $8::timestamptz END, $8
FROM webhook_endpoint e
CROSS JOIN LATERAL (SELECT EXISTS (
  SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.bill_id = $4 AND d.state IN ('PENDING', 'BLOCKED')) AS behind) waits
WHERE e.merchant_id = $2 AND e.environment = $3 AND e.url IS NOT NULL`,
    },
    [id, bill.merchantId, bill.environment, bill.id, eventNumber, bill.status, body, now],
  );
}

export interface ClaimedDelivery extends Scope {
  readonly id: string;
  readonly endpointId: string;
  readonly billId: string;
  readonly body: Buffer;
  readonly url: string;
  readonly encryptedSecret: Uint8Array;
  readonly attemptCount: number;
  readonly leaseToken: number;
}

/**
 * Takes due deliveries for one worker, at most `perEndpoint` in flight for each endpoint, and those first whose endpoint has
 * the fewest: however many endpoints are slow, they hold nobody else up.
 */
export async function claimDeliveries(
  db: Queryable,
  { now, leaseUntil, limit, perEndpoint }: { now: Date; leaseUntil: Date; limit: number; perEndpoint: number },
): Promise<ClaimedDelivery[]> {
  return db.query<ClaimedDelivery>(
    {
      name: 'claim-deliveries',
      text: `
WITH heads AS (
  SELECT head.id, head.due_at, busy.in_flight + row_number() OVER (PARTITION BY e.id ORDER BY head.due_at, head.id) AS turn
  FROM webhook_endpoint e
  CROSS JOIN LATERAL (
    SELECT count(*) AS in_flight FROM (
      SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'PENDING' AND d.due_at <= $1 AND d.lease_until > $1 LIMIT $4) leased
  ) busy
  CROSS JOIN LATERAL (
    SELECT d.id, d.due_at FROM webhook_delivery d
    WHERE d.endpoint_id = e.id AND d.state = 'PENDING' AND d.due_at <= $1 AND (d.lease_until IS NULL OR d.lease_until <= $1)
    ORDER BY d.due_at, d.id LIMIT greatest($4::bigint - busy.in_flight, 0)
  ) head
  WHERE e.url IS NOT NULL
), taken AS (
  SELECT id, endpoint_id FROM webhook_delivery
  WHERE id = ANY (ARRAY(SELECT id FROM heads ORDER BY turn, due_at LIMIT $3))
    AND state = 'PENDING' AND due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
  FOR UPDATE SKIP LOCKED
)
UPDATE webhook_delivery d SET lease_until = $2, lease_token = d.lease_token + 1
FROM taken JOIN webhook_endpoint e ON e.id = taken.endpoint_id WHERE d.id = taken.id
RETURNING d.id, d.merchant_id AS "merchantId", d.environment, d.endpoint_id AS "endpointId", d.bill_id AS "billId", d.body, e.url,
  e.encrypted_secret AS "encryptedSecret", d.attempt_count AS "attemptCount", d.lease_token AS "leaseToken"`,
    },
    [now, leaseUntil, limit, perEndpoint],
  );
}

export interface AttemptRow {
  readonly id: string;
  readonly url: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: Uint8Array;
  readonly errorClass: string | null;
  readonly errorDetail: string | null;
  readonly nextAttemptAt: Date | null;
}

/**
 * Writes what happened and moves the delivery, if the lease is still ours.
 * @returns whether it was; if not, somebody else has delivered or will deliver again, and only the log row is kept.
 */
export async function settleDelivery(
  tx: Queryable,
  delivery: ClaimedDelivery,
  state: 'PENDING' | 'DELIVERED' | 'EXHAUSTED',
  attempt: AttemptRow,
  now: Date,
): Promise<boolean> {
  await tx.query(
    {
      text: `INSERT INTO webhook_attempt (id, merchant_id, environment, delivery_id, number, url, started_at, duration_ms, http_status, response_headers, response_body, error_class, error_detail, next_attempt_at)
             SELECT $1, $2, $3, $4, coalesce(max(number), 0) + 1, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM webhook_attempt WHERE delivery_id = $4`,
    },
    [
      attempt.id,
      delivery.merchantId,
      delivery.environment,
      delivery.id,
      attempt.url,
      attempt.startedAt,
      attempt.durationMs,
      attempt.httpStatus,
      attempt.responseHeaders,
      Buffer.from(attempt.responseBody),
      attempt.errorClass,
      attempt.errorDetail,
      attempt.nextAttemptAt,
    ],
  );
  const rows = await tx.query(
    {
      text: `UPDATE webhook_delivery SET state = $3, attempt_count = attempt_count + 1, due_at = $4, lease_until = NULL,
               settled_at = CASE WHEN $3 = 'PENDING'::delivery_state THEN NULL ELSE $5::timestamptz END
             WHERE id = $1 AND lease_token = $2 AND state = 'PENDING' RETURNING 1 AS moved`,
    },
    [delivery.id, delivery.leaseToken, state, attempt.nextAttemptAt, now],
  );
  return rows.length > 0;
}

/** Lets the bill's next delivery go. The bill row is locked, as it is where deliveries are inserted: none is left stuck. */
export async function unblockNext(tx: Queryable, delivery: ClaimedDelivery, now: Date): Promise<void> {
  await tx.query(
    {
      text: `UPDATE webhook_delivery SET state = 'PENDING', due_at = $3 WHERE id = (
               SELECT id FROM webhook_delivery WHERE endpoint_id = $1 AND bill_id = $2 AND state = 'BLOCKED' ORDER BY event_number LIMIT 1)`,
    },
    [delivery.endpointId, delivery.billId, now],
  );
}

/** What the dashboard shows of a delivery. */
export interface DeliveryRow {
  readonly id: string;
  readonly billId: string;
  readonly reference: string;
  readonly billStatus: Bill['status'];
  readonly state: 'BLOCKED' | 'PENDING' | 'DELIVERED' | 'EXHAUSTED';
  readonly attemptCount: number;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
}

import type { Scope } from '@/lib/config/runtime';
import type { Queryable } from '@/lib/db/database';
import type { DeliveryRow } from './store';

/** What the dashboard shows of an answer: enough to recognise an error page by. */
const EXCERPT_BYTES = 600;

interface DeliveryListing {
  /** Only those of one bill. */
  readonly billId: string | null;
  /** Only those older than this one. */
  readonly before: string | null;
  readonly limit: number;
}

/** @returns deliveries newest first. */
export async function listDeliveryRows(db: Queryable, scope: Scope, { billId, before, limit }: DeliveryListing): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(
    {
      text: `SELECT d.id, d.bill_id AS "billId", b.reference, d.bill_status AS "billStatus", d.state, d.attempt_count AS "attemptCount", d.due_at AS "dueAt",
               d.created_at AS "createdAt"
             FROM webhook_delivery d JOIN bill b ON b.id = d.bill_id AND b.merchant_id = d.merchant_id AND b.environment = d.environment
             WHERE d.merchant_id = $1 AND d.environment = $2 AND ($3::uuid IS NULL OR d.bill_id = $3) AND ($4::uuid IS NULL OR d.id < $4)
             ORDER BY d.id DESC LIMIT $5`,
    },
    [scope.merchantId, scope.environment, billId, before, limit],
  );
}

export interface TryRow {
  readonly deliveryId: string;
  readonly number: number;
  readonly url: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
  readonly errorDetail: string | null;
  readonly excerpt: Uint8Array;
  readonly nextAttemptAt: Date | null;
}

/** @returns the tries of some deliveries, newest first. */
export async function listTryRows(db: Queryable, scope: Scope, deliveryIds: readonly string[]): Promise<TryRow[]> {
  return db.query<TryRow>(
    {
      text: `SELECT delivery_id AS "deliveryId", number, url, started_at AS "startedAt", duration_ms AS "durationMs", http_status AS "httpStatus",
               error_class AS "errorClass", error_detail AS "errorDetail", substring(response_body FROM 1 FOR ${EXCERPT_BYTES}) AS excerpt,
               next_attempt_at AS "nextAttemptAt"
             FROM webhook_attempt WHERE merchant_id = $1 AND environment = $2 AND delivery_id = ANY ($3::uuid[]) ORDER BY delivery_id, number DESC`,
    },
    [scope.merchantId, scope.environment, deliveryIds],
  );
}

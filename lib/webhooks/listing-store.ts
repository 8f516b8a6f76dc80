import type { Bill } from '@/lib/bills/rules';
import type { Scope } from '@/lib/config/runtime';
import type { Queryable } from '@/lib/db/database';
import type { DeliveryTrigger } from './store';

/** What the dashboard shows of an answer: enough to recognise an error page by. */
const EXCERPT_BYTES = 600;

export const DELIVERY_STATES = ['BLOCKED', 'PENDING', 'SENDING', 'DELIVERED', 'EXHAUSTED', 'UNSENT'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A delivery, for people. */
export interface DeliveryRow {
  readonly id: string;
  readonly billId: string;
  readonly reference: string;
  readonly billStatus: Bill['status'];
  readonly state: DeliveryState;
  readonly attemptCount: number;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
}

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
  readonly id: string;
  readonly deliveryId: string;
  readonly number: number;
  readonly trigger: DeliveryTrigger;
  readonly triggeredBy: string | null;
  readonly url: string;
  readonly address: string | null;
  readonly startedAt: Date;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly errorClass: string | null;
  readonly errorData: Readonly<Record<string, string | number>>;
  readonly excerpt: Uint8Array;
  readonly nextAttemptAt: Date | null;
}

/** @returns the tries of some deliveries, newest first. */
export async function listTryRows(
  db: Queryable,
  scope: Scope,
  deliveryIds: readonly string[],
  excerptBytes = EXCERPT_BYTES,
): Promise<TryRow[]> {
  return db.query<TryRow>(
    {
      text: `SELECT id, delivery_id AS "deliveryId", number, trigger, triggered_by AS "triggeredBy", url, address, started_at AS "startedAt",
               dns_ms AS "dnsMs", connect_ms AS "connectMs", tls_ms AS "tlsMs", first_byte_ms AS "firstByteMs", duration_ms AS "durationMs",
               http_status AS "httpStatus", response_headers AS "responseHeaders", error_class AS "errorClass", error_data AS "errorData",
               substring(response_body FROM 1 FOR $4) AS excerpt, next_attempt_at AS "nextAttemptAt"
             FROM webhook_attempt WHERE merchant_id = $1 AND environment = $2 AND delivery_id = ANY ($3::uuid[]) ORDER BY delivery_id, started_at DESC, id DESC`,
    },
    [scope.merchantId, scope.environment, deliveryIds, excerptBytes],
  );
}

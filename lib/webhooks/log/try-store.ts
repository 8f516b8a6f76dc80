import { MINUTE_MS } from '@/lib/core/clock';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { AttemptRow } from '@/lib/webhooks/settle-store';
import type { DeliveryRow } from './listing-store';

/** What the dashboard shows of an answer: enough to recognise an error page by. */
const EXCERPT_BYTES = 600;

/** A try may seem to begin before its delivery was there, by the clocks of two machines. */
const CLOCKS_APART_MS = MINUTE_MS;

/** An attempt to deliver, as the log has it, with the beginning of the answer in place of all that is kept. */
export interface TryRow extends Omit<AttemptRow, keyof Scope | 'deliveryId' | 'messageId' | 'responseBody'> {
  /** Null for a test or a check. */
  readonly deliveryId: string | null;
  readonly excerpt: Uint8Array;
}

const TRY_COLUMNS = `id, delivery_id AS "deliveryId", number, trigger, triggered_by AS "triggeredBy", url, address, started_at AS "startedAt",
  dns_ms AS "dnsMs", connect_ms AS "connectMs", tls_ms AS "tlsMs", first_byte_ms AS "firstByteMs", duration_ms AS "durationMs", http_status AS "httpStatus",
  request_headers AS "requestHeaders", request_body AS "requestBody", response_headers AS "responseHeaders", error_class AS "errorClass",
  error_data AS "errorData", next_attempt_at AS "nextAttemptAt"`;

/** A test or a check: it announced no event. */
type AloneRow = TryRow & Pick<AttemptRow, 'messageId'>;

/** @param before the last one of the page before, by its instant and id. @returns attempts that belong to no delivery, newest first. */
export async function listAloneRows(
  db: Queryable,
  scope: Scope,
  { before, limit }: { readonly before: { readonly at: Date; readonly id: string } | null; readonly limit: number },
): Promise<AloneRow[]> {
  return db.query<AloneRow>(
    {
      text: `SELECT ${TRY_COLUMNS}, message_id AS "messageId", substring(response_body FROM 1 FOR $4) AS excerpt FROM webhook_attempt
             WHERE merchant_id = $1 AND environment = $2 AND delivery_id IS NULL AND ($5::timestamptz IS NULL OR (started_at, id) < ($5, $6::uuid))
             ORDER BY started_at DESC, id DESC LIMIT $3`,
    },
    [scope.merchantId, scope.environment, limit, EXCERPT_BYTES, before?.at ?? null, before?.id ?? null],
  );
}

/** @returns the tries of some deliveries, newest first. Partitions of before there was one of them are not looked at. */
export async function listTryRows(
  db: Queryable,
  scope: Scope,
  deliveries: readonly Pick<DeliveryRow, 'id' | 'createdAt'>[],
  excerptBytes = EXCERPT_BYTES,
): Promise<TryRow[]> {
  if (deliveries.length === 0) return [];
  const first = Math.min(...deliveries.map(({ createdAt }) => createdAt.getTime()));
  return db.query<TryRow>(
    {
      text: `SELECT ${TRY_COLUMNS}, substring(response_body FROM 1 FOR $4) AS excerpt
             FROM webhook_attempt WHERE merchant_id = $1 AND environment = $2 AND delivery_id = ANY ($3::uuid[]) AND started_at >= $5
             ORDER BY delivery_id, started_at DESC, id DESC`,
    },
    [scope.merchantId, scope.environment, deliveries.map(({ id }) => id), excerptBytes, new Date(first - CLOCKS_APART_MS)],
  );
}

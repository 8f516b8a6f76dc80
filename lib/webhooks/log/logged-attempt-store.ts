import { z } from 'zod';
import { MINUTE_MS } from '@/lib/core/clock';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, bytea, environment, int4, jsonb, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { AttemptRow } from '@/lib/webhooks/attempt-store';
import { deliveryTrigger } from '@/lib/webhooks/sql-types';
import type { DeliveryRow } from './listing-store';

/** Maximum length of the part of a response body that lists show, in bytes: enough to recognise an error page. */
const EXCERPT_BYTES = 600;

/** The clocks of two machines may differ by this much, so an attempt may seem to start before its delivery was created. */
const CLOCK_SKEW_MS = MINUTE_MS;

/** A logged attempt with only the beginning of the response body. */
export interface LoggedAttempt extends Omit<AttemptRow, keyof Scope | 'deliveryId' | 'messageId' | 'responseBody'> {
  /** Null for test webhooks and receiver checks. */
  readonly deliveryId: string | null;
  readonly excerpt: Uint8Array;
}

const ATTEMPT_COLUMNS = `id, delivery_id AS "deliveryId", number, trigger, triggered_by AS "triggeredBy", url, address, started_at AS "startedAt",
  dns_ms AS "dnsMs", connect_ms AS "connectMs", tls_ms AS "tlsMs", first_byte_ms AS "firstByteMs", duration_ms AS "durationMs", http_status AS "httpStatus",
  request_headers AS "requestHeaders", request_body AS "requestBody", response_headers AS "responseHeaders", error_class AS "errorClass",
  error_data AS "errorData", next_attempt_at AS "nextAttemptAt"`;
const ATTEMPT_TYPES = {
  id: uuid,
  deliveryId: nullable(uuid),
  number: int4,
  trigger: deliveryTrigger,
  triggeredBy: nullable(text),
  url: text,
  address: nullable(text),
  startedAt: timestamptz,
  dnsMs: nullable(int4),
  connectMs: nullable(int4),
  tlsMs: nullable(int4),
  firstByteMs: nullable(int4),
  durationMs: int4,
  httpStatus: nullable(int4),
  requestHeaders: jsonb,
  requestBody: nullable(bytea),
  responseHeaders: jsonb,
  errorClass: nullable(text),
  errorData: jsonb,
  nextAttemptAt: nullable(timestamptz),
};

const headersSchema = z.record(z.string(), z.string());
const errorDataSchema = z.record(z.string(), z.union([z.string(), z.number()]));

type Json = 'requestHeaders' | 'responseHeaders' | 'errorData';

function readRow<Row extends Readonly<Record<Json, unknown>>>(row: Row): Row & Pick<LoggedAttempt, Json> {
  return {
    ...row,
    requestHeaders: headersSchema.parse(row.requestHeaders),
    responseHeaders: headersSchema.parse(row.responseHeaders),
    errorData: errorDataSchema.parse(row.errorData),
  };
}

/** A test webhook or a call of a receiver check. It belongs to no delivery. */
type StandaloneAttempt = LoggedAttempt & Pick<AttemptRow, 'messageId'>;

const LIST_STANDALONE = statement({
  name: 'list attempts that belong to no delivery',
  text: `SELECT ${ATTEMPT_COLUMNS}, message_id AS "messageId", substring(response_body FROM 1 FOR $excerptBytes) AS excerpt FROM webhook_attempt
         WHERE merchant_id = $merchantId AND environment = $environment AND delivery_id IS NULL
           AND ($beforeAt::timestamptz IS NULL OR (started_at, id) < ($beforeAt, $beforeId::uuid))
         ORDER BY started_at DESC, id DESC LIMIT $limit::int`,
  parameters: { merchantId: uuid, environment, limit: int4, excerptBytes: int4, beforeAt: nullable(timestamptz), beforeId: nullable(uuid) },
  columns: { ...ATTEMPT_TYPES, messageId: text, excerpt: bytea },
});

/**
 * Returns test webhooks and calls of receiver checks, newest first.
 * @param before the start time and the id of the previous page's last row.
 */
export async function listStandaloneAttempts(
  db: Queryable,
  { merchantId, environment }: Scope,
  { before, limit }: { readonly before: { readonly at: Date; readonly id: string } | null; readonly limit: number },
): Promise<StandaloneAttempt[]> {
  const [beforeAt, beforeId] = [before?.at ?? null, before?.id ?? null];
  const rows = await LIST_STANDALONE.rows(db, { merchantId, environment, limit, excerptBytes: EXCERPT_BYTES, beforeAt, beforeId });
  return rows.map(readRow);
}

const LIST = statement({
  name: 'list the attempts of deliveries',
  text: `SELECT ${ATTEMPT_COLUMNS}, substring(response_body FROM 1 FOR $excerptBytes) AS excerpt FROM webhook_attempt
         WHERE merchant_id = $merchantId AND environment = $environment AND delivery_id = ANY ($ids::uuid[]) AND started_at >= $since
         ORDER BY delivery_id, started_at DESC, id DESC`,
  parameters: { merchantId: uuid, environment, ids: array(uuid), excerptBytes: int4, since: timestamptz },
  columns: { ...ATTEMPT_TYPES, excerpt: bytea },
});

/**
 * Returns the attempts of deliveries, newest first for each delivery. Does not read partitions from before the oldest of the deliveries was
 * created.
 */
export async function listAttempts(
  db: Queryable,
  { merchantId, environment }: Scope,
  deliveries: readonly Pick<DeliveryRow, 'id' | 'createdAt'>[],
  excerptBytes = EXCERPT_BYTES,
): Promise<LoggedAttempt[]> {
  if (deliveries.length === 0) return [];
  const first = Math.min(...deliveries.map(({ createdAt }) => createdAt.getTime()));
  const [ids, since] = [deliveries.map(({ id }) => id), new Date(first - CLOCK_SKEW_MS)];
  const rows = await LIST.rows(db, { merchantId, environment, ids, excerptBytes, since });
  return rows.map(readRow);
}

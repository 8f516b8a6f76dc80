import { columnsOf } from '@/lib/core/columns-of';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, bytea, environment, int4, jsonb, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { deliveryTrigger } from './sql-types';
import type { DeliveryTrigger } from './store';

/** A row of the log of delivery attempts. Durations are in milliseconds. A duration is null if the call did not reach that step. */
export interface AttemptRow extends Scope {
  readonly id: string;
  /** Null for test webhooks and receiver checks, which belong to no delivery. */
  readonly deliveryId: string | null;
  readonly messageId: string;
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
  /** The headers that differ between the delivery attempts of a delivery: the signature headers. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The body of a test webhook or receiver check. Null for a delivery, whose row contains the body. */
  readonly requestBody: Uint8Array | null;
  readonly httpStatus: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: Uint8Array;
  readonly errorClass: string | null;
  readonly errorData: Readonly<Record<string, string | number>>;
  readonly nextAttemptAt: Date | null;
}

const INSERT_ATTEMPTS = statement({
  name: 'insert-webhook-attempts',
  text: `INSERT INTO webhook_attempt (id, merchant_id, environment, delivery_id, message_id, number, trigger, triggered_by, url, address, started_at,
           dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms, http_status, response_headers, response_body, error_class, error_data, next_attempt_at,
           request_headers, request_body)
         SELECT * FROM unnest($id::uuid[], $merchantId::uuid[], $environment::environment[], $deliveryId::uuid[], $messageId::text[], $number::int[],
           $trigger::delivery_trigger[], $triggeredBy::text[], $url::text[], $address::text[], $startedAt::timestamptz[], $dnsMs::int[],
           $connectMs::int[], $tlsMs::int[], $firstByteMs::int[], $durationMs::int[], $httpStatus::int[], $responseHeaders::jsonb[],
           $responseBody::bytea[], $errorClass::text[], $errorData::jsonb[], $nextAttemptAt::timestamptz[], $requestHeaders::jsonb[],
           $requestBody::bytea[])`,
  parameters: {
    id: array(uuid),
    merchantId: array(uuid),
    environment: array(environment),
    deliveryId: array(nullable(uuid)),
    messageId: array(text),
    number: array(int4),
    trigger: array(deliveryTrigger),
    triggeredBy: array(nullable(text)),
    url: array(text),
    address: array(nullable(text)),
    startedAt: array(timestamptz),
    dnsMs: array(nullable(int4)),
    connectMs: array(nullable(int4)),
    tlsMs: array(nullable(int4)),
    firstByteMs: array(nullable(int4)),
    durationMs: array(int4),
    httpStatus: array(nullable(int4)),
    responseHeaders: array(jsonb),
    responseBody: array(bytea),
    errorClass: array(nullable(text)),
    errorData: array(jsonb),
    nextAttemptAt: array(nullable(timestamptz)),
    requestHeaders: array(jsonb),
    requestBody: array(nullable(bytea)),
  },
  columns: {},
  prepared: true,
});

/** Inserts delivery attempts into the log, all in one statement. */
export async function insertAttempts(tx: Queryable, rows: readonly AttemptRow[]): Promise<void> {
  await INSERT_ATTEMPTS.rows(tx, columnsOf(rows.map(encode), INSERT_ATTEMPTS.parameters));
}

function encode(row: AttemptRow) {
  return {
    ...row,
    requestHeaders: JSON.stringify(row.requestHeaders),
    requestBody: row.requestBody && Buffer.from(row.requestBody),
    responseHeaders: JSON.stringify(row.responseHeaders),
    responseBody: Buffer.from(row.responseBody),
    errorData: JSON.stringify(row.errorData),
  };
}

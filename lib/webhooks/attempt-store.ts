import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, bytea, environment, int4, jsonb, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { deliveryTrigger } from './sql-types';
import type { DeliveryTrigger } from './store';

/** A row of the log of delivery attempts. Durations are in milliseconds; null if the step did not happen. */
export interface AttemptRow extends Scope {
  readonly id: string;
  /** Null for test events and receiver checks, which belong to no delivery. */
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
  /** The headers that differ between attempts: the signature headers. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The body of a test event or receiver check. Null for a delivery, whose row contains the body. */
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
         SELECT * FROM unnest($ids::uuid[], $merchantIds::uuid[], $environments::environment[], $deliveryIds::uuid[], $messageIds::text[], $numbers::int[],
           $triggers::delivery_trigger[], $triggeredBys::text[], $urls::text[], $addresses::text[], $startedAts::timestamptz[], $dnsMs::int[],
           $connectMs::int[], $tlsMs::int[], $firstByteMs::int[], $durationMs::int[], $httpStatuses::int[], $responseHeaders::jsonb[],
           $responseBodies::bytea[], $errorClasses::text[], $errorData::jsonb[], $nextAttemptAts::timestamptz[], $requestHeaders::jsonb[],
           $requestBodies::bytea[])`,
  parameters: {
    ids: array(uuid),
    merchantIds: array(uuid),
    environments: array(environment),
    deliveryIds: array(nullable(uuid)),
    messageIds: array(text),
    numbers: array(int4),
    triggers: array(deliveryTrigger),
    triggeredBys: array(nullable(text)),
    urls: array(text),
    addresses: array(nullable(text)),
    startedAts: array(timestamptz),
    dnsMs: array(nullable(int4)),
    connectMs: array(nullable(int4)),
    tlsMs: array(nullable(int4)),
    firstByteMs: array(nullable(int4)),
    durationMs: array(int4),
    httpStatuses: array(nullable(int4)),
    responseHeaders: array(jsonb),
    responseBodies: array(bytea),
    errorClasses: array(nullable(text)),
    errorData: array(jsonb),
    nextAttemptAts: array(nullable(timestamptz)),
    requestHeaders: array(jsonb),
    requestBodies: array(nullable(bytea)),
  },
  columns: {},
  prepared: true,
});

/** Inserts attempts into the log, all in one statement. */
export async function insertAttempts(tx: Queryable, rows: readonly AttemptRow[]): Promise<void> {
  await INSERT_ATTEMPTS.rows(tx, {
    ids: rows.map(({ id }) => id),
    merchantIds: rows.map(({ merchantId }) => merchantId),
    environments: rows.map(({ environment }) => environment),
    deliveryIds: rows.map(({ deliveryId }) => deliveryId),
    messageIds: rows.map(({ messageId }) => messageId),
    numbers: rows.map(({ number }) => number),
    triggers: rows.map(({ trigger }) => trigger),
    triggeredBys: rows.map(({ triggeredBy }) => triggeredBy),
    urls: rows.map(({ url }) => url),
    addresses: rows.map(({ address }) => address),
    startedAts: rows.map(({ startedAt }) => startedAt),
    dnsMs: rows.map(({ dnsMs }) => dnsMs),
    connectMs: rows.map(({ connectMs }) => connectMs),
    tlsMs: rows.map(({ tlsMs }) => tlsMs),
    firstByteMs: rows.map(({ firstByteMs }) => firstByteMs),
    durationMs: rows.map(({ durationMs }) => durationMs),
    httpStatuses: rows.map(({ httpStatus }) => httpStatus),
    responseHeaders: rows.map(({ responseHeaders }) => JSON.stringify(responseHeaders)),
    responseBodies: rows.map(({ responseBody }) => Buffer.from(responseBody)),
    errorClasses: rows.map(({ errorClass }) => errorClass),
    errorData: rows.map(({ errorData }) => JSON.stringify(errorData)),
    nextAttemptAts: rows.map(({ nextAttemptAt }) => nextAttemptAt),
    requestHeaders: rows.map(({ requestHeaders }) => JSON.stringify(requestHeaders)),
    requestBodies: rows.map(({ requestBody }) => requestBody && Buffer.from(requestBody)),
  });
}

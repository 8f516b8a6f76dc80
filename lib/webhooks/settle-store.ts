import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { DeliveryTrigger } from './store';

/** One attempt, for the log. Times in milliseconds; null where a step did not happen. */
export interface AttemptRow extends Scope {
  readonly id: string;
  /** Null for a test or a check. */
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
  /** The headers that were this attempt's own: those that sign. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** What was sent, where no delivery has it. */
  readonly requestBody: Uint8Array | null;
  readonly httpStatus: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: Uint8Array;
  readonly errorClass: string | null;
  readonly errorData: Readonly<Record<string, string | number>>;
  readonly nextAttemptAt: Date | null;
}

/** Writes what was called and what came back; one statement for any number. */
export async function insertAttempts(tx: Queryable, rows: readonly AttemptRow[]): Promise<void> {
  await tx.query(
    {
      name: 'insert-webhook-attempts',
      text: `INSERT INTO webhook_attempt (id, merchant_id, environment, delivery_id, message_id, number, trigger, triggered_by, url, address, started_at,
               dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms, http_status, response_headers, response_body, error_class, error_data, next_attempt_at,
               request_headers, request_body)
             SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::environment[], $4::uuid[], $5::text[], $6::int[], $7::delivery_trigger[], $8::text[], $9::text[],
               $10::text[], $11::timestamptz[], $12::int[], $13::int[], $14::int[], $15::int[], $16::int[], $17::int[], $18::jsonb[], $19::bytea[], $20::text[],
               $21::jsonb[], $22::timestamptz[], $23::jsonb[], $24::bytea[])`,
    },
    [
      rows.map(({ id }) => id),
      rows.map(({ merchantId }) => merchantId),
      rows.map(({ environment }) => environment),
      rows.map(({ deliveryId }) => deliveryId),
      rows.map(({ messageId }) => messageId),
      rows.map(({ number }) => number),
      rows.map(({ trigger }) => trigger),
      rows.map(({ triggeredBy }) => triggeredBy),
      rows.map(({ url }) => url),
      rows.map(({ address }) => address),
      rows.map(({ startedAt }) => startedAt),
      rows.map(({ dnsMs }) => dnsMs),
      rows.map(({ connectMs }) => connectMs),
      rows.map(({ tlsMs }) => tlsMs),
      rows.map(({ firstByteMs }) => firstByteMs),
      rows.map(({ durationMs }) => durationMs),
      rows.map(({ httpStatus }) => httpStatus),
      rows.map(({ responseHeaders }) => JSON.stringify(responseHeaders)),
      rows.map(({ responseBody }) => Buffer.from(responseBody)),
      rows.map(({ errorClass }) => errorClass),
      rows.map(({ errorData }) => JSON.stringify(errorData)),
      rows.map(({ nextAttemptAt }) => nextAttemptAt),
      rows.map(({ requestHeaders }) => JSON.stringify(requestHeaders)),
      rows.map(({ requestBody }) => requestBody && Buffer.from(requestBody)),
    ],
  );
}

export interface Move {
  readonly id: string;
  readonly leaseToken: number;
  readonly state: 'PENDING' | 'DELIVERED' | 'EXHAUSTED';
  readonly delivered: boolean;
  readonly startedAt: Date;
  /** When it is tried again; null unless it is PENDING. */
  readonly dueAt: Date | null;
}

/**
 * Moves deliveries whose lease is still ours.
 * @returns the ids of those; the others somebody else has delivered or will deliver again.
 */
export async function moveDeliveries(tx: Queryable, moves: readonly Move[], now: Date): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    {
      name: 'move-deliveries',
      text: `UPDATE webhook_delivery d SET state = m.state, due_at = m.due_at, lease_until = NULL, attempt_count = d.attempt_count + 1,
               failure_count = CASE WHEN m.delivered THEN 0 ELSE d.failure_count + 1 END, priority = 1, last_attempt_at = m.started_at,
               trigger = CASE WHEN m.state = 'PENDING' THEN 'automatic' ELSE d.trigger END, triggered_by = CASE WHEN m.state <> 'PENDING' THEN d.triggered_by END,
               delivered_at = CASE WHEN m.delivered THEN coalesce(d.delivered_at, $7) ELSE d.delivered_at END,
               settled_at = CASE WHEN m.state <> 'PENDING' THEN $7::timestamptz END
             FROM unnest($1::uuid[], $2::int[], $3::delivery_state[], $4::boolean[], $5::timestamptz[], $6::timestamptz[])
               AS m(id, lease_token, state, delivered, started_at, due_at)
             WHERE d.id = m.id AND d.lease_token = m.lease_token AND d.state = 'SENDING' RETURNING d.id`,
    },
    [
      moves.map(({ id }) => id),
      moves.map(({ leaseToken }) => leaseToken),
      moves.map(({ state }) => state),
      moves.map(({ delivered }) => delivered),
      moves.map(({ startedAt }) => startedAt),
      moves.map(({ dueAt }) => dueAt),
      now,
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Lets the next delivery of each bill go. The bills' rows are locked, as they are where deliveries are inserted: none is left stuck.
 */
export async function unblockNext(
  tx: Queryable,
  settled: readonly { readonly endpointId: string; readonly billId: string }[],
  now: Date,
): Promise<void> {
  await tx.query(
    {
      name: 'unblock-deliveries',
      text: `UPDATE webhook_delivery d SET state = 'PENDING', due_at = $3
             FROM unnest($1::uuid[], $2::uuid[]) AS s(endpoint_id, bill_id)
             CROSS JOIN LATERAL (
               SELECT b.id FROM webhook_delivery b WHERE b.bill_id = s.bill_id AND b.endpoint_id = s.endpoint_id AND b.state = 'BLOCKED'
               ORDER BY b.event_number LIMIT 1) next
             WHERE d.id = next.id`,
    },
    [settled.map(({ endpointId }) => endpointId), settled.map(({ billId }) => billId), now],
  );
}

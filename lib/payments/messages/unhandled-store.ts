import { z } from 'zod';
import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import type { Queryable } from '@/lib/db/database';
import { bytea, environment, float8, int4, int8, jsonb, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { lostAnswer, messageKind } from './message-store';

/** A stored message that has not been applied. */
export type UnhandledMessage = Awaited<ReturnType<typeof claimMessages>>[number];

/** The delay from the first claim of a message to the next. It doubles with each claim. It must exceed the time to apply a message. */
const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = HOUR_MS;

const CLAIM_MESSAGES = statement({
  name: 'claim-messages',
  prepared: true,
  text: `
WITH due AS (
  SELECT id FROM provider_message WHERE handled_at IS NULL AND due_at <= $now ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED
)
UPDATE provider_message m SET
  apply_count = m.apply_count + 1,
  due_at = $now + least($longest::float8, $first::float8 * 2 ^ least(m.apply_count, 20)) * interval '1 millisecond'
FROM due WHERE m.id = due.id
RETURNING m.id, m.environment, m.provider_account_id AS "providerAccountId", m.attempt_id AS "attemptId", m.reversal_request_id AS "reversalRequestId",
  m.kind, m.http_status AS status, m.headers, m.body, m.error, m.lost, m.lease_token AS "leaseToken", m.apply_count AS "applyCount"`,
  parameters: { now: timestamptz, limit: int8, first: float8, longest: float8 },
  columns: {
    id: uuid,
    environment,
    providerAccountId: uuid,
    attemptId: nullable(uuid),
    reversalRequestId: nullable(uuid),
    kind: messageKind,
    status: nullable(int4),
    headers: jsonb,
    body: bytea,
    error: nullable(text),
    lost: nullable(lostAnswer),
    leaseToken: nullable(int4),
    /** The number of claims by workers, including this one. */
    applyCount: int4,
  },
});

/** Stored headers are texts. Other values are dropped, so that one broken row does not stop the claim of all messages. */
export const storedHeaders = z.record(z.string(), z.string()).catch({});

/**
 * Claims messages that were not applied in time. A claim makes the message due again only later. So a message that always fails does not
 * block the others, and two workers never have the same message.
 */
export async function claimMessages(db: Queryable, { now, limit }: { now: Date; limit: number }) {
  const rows = await CLAIM_MESSAGES.rows(db, { now, limit: BigInt(limit), first: FIRST_PAUSE_MS, longest: LONGEST_PAUSE_MS });
  return rows.map((row) => ({ ...row, headers: storedHeaders.parse(row.headers), body: new Uint8Array(row.body) }));
}

const MARK_HANDLED = statement({
  name: 'mark-message-handled',
  prepared: true,
  text: 'UPDATE provider_message SET handled_at = $now WHERE id = $messageId AND handled_at IS NULL',
  parameters: { messageId: uuid, now: timestamptz },
  columns: {},
});

/** Marks a message as applied, in the transaction that applies it or right after it. */
export async function markHandled(db: Queryable, messageId: string, now: Date): Promise<void> {
  await MARK_HANDLED.rows(db, { messageId, now });
}

const LIST_OVERDUE = statement({
  name: 'list overdue messages',
  text: `SELECT m.id, c.label AS account, m.kind, m.received_at AS "receivedAt", m.apply_count AS "applyCount"
         FROM provider_message m JOIN provider_account c ON c.id = m.provider_account_id
         WHERE m.handled_at IS NULL AND m.received_at <= $before ORDER BY m.received_at, m.id LIMIT $limit`,
  parameters: { before: timestamptz, limit: int8 },
  columns: { id: uuid, account: text, kind: messageKind, receivedAt: timestamptz, applyCount: int4 },
});

/** Returns the oldest messages that have been unhandled for longer than `ms`. */
export async function listOverdueMessages(db: Queryable, { now, ms, limit }: { now: Date; ms: number; limit: number }) {
  return LIST_OVERDUE.rows(db, { before: addMs(now, -ms), limit: BigInt(limit) });
}

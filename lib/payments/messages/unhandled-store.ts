import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import type { Queryable } from '@/lib/db/database';
import type { RawAnswer } from '@/lib/providers/port/port';
import type { MessageKind } from './message-store';

/** A stored message that has not been applied. */
export interface UnhandledMessage extends RawAnswer {
  readonly id: string;
  readonly providerAccountId: string;
  readonly attemptId: string | null;
  readonly reversalRequestId: string | null;
  readonly kind: MessageKind;
  readonly leaseToken: number | null;
  /** How often workers have tried to apply it, this time included. */
  readonly applyCount: number;
}

/** The pause after a message could not be applied, doubled each time up to the longest. Longer than applying one takes. */
const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = HOUR_MS;

/**
 * Takes messages that nobody has applied in time. Each claim postpones the next, so one that always fails gets in the way of no
 * other, and two workers never have the same one.
 */
export async function claimMessages(db: Queryable, { now, limit }: { now: Date; limit: number }): Promise<UnhandledMessage[]> {
  return db.query<UnhandledMessage>(
    {
      name: 'claim-messages',
      text: `
WITH due AS (
  SELECT id FROM provider_message WHERE handled_at IS NULL AND due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE provider_message m SET
  apply_count = m.apply_count + 1,
  due_at = $1 + least($4::float8, $3::float8 * 2 ^ least(m.apply_count, 20)) * interval '1 millisecond'
FROM due WHERE m.id = due.id
RETURNING m.id, m.provider_account_id AS "providerAccountId", m.attempt_id AS "attemptId", m.reversal_request_id AS "reversalRequestId",
  m.kind, m.http_status AS status, m.headers, m.body, m.error, m.lost, m.lease_token AS "leaseToken", m.apply_count AS "applyCount"`,
    },
    [now, limit, FIRST_PAUSE_MS, LONGEST_PAUSE_MS],
  );
}

/** Notes that a message has been applied; in the transaction that applies it, or right after. */
export async function markHandled(db: Queryable, messageId: string, now: Date): Promise<void> {
  await db.query({ text: 'UPDATE provider_message SET handled_at = $2 WHERE id = $1 AND handled_at IS NULL' }, [messageId, now]);
}

/** A message that has waited too long to be applied. */
interface OverdueMessage {
  readonly id: string;
  readonly account: string;
  readonly kind: MessageKind;
  readonly receivedAt: Date;
  readonly applyCount: number;
}

/** @returns the oldest messages that have been unhandled for longer than `ms`. */
export async function listOverdueMessages(
  db: Queryable,
  { now, ms, limit }: { now: Date; ms: number; limit: number },
): Promise<OverdueMessage[]> {
  return db.query<OverdueMessage>(
    {
      text: `SELECT m.id, c.label AS account, m.kind, m.received_at AS "receivedAt", m.apply_count AS "applyCount"
             FROM provider_message m JOIN provider_account c ON c.id = m.provider_account_id
             WHERE m.handled_at IS NULL AND m.received_at <= $1 ORDER BY m.received_at, m.id LIMIT $2`,
    },
    [addMs(now, -ms), limit],
  );
}

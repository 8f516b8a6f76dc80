import { addMs, SECOND_MS } from '@/lib/core/clock';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { ProviderAccount, RawAnswer } from '@/lib/providers/port/port';

/** `answer` to a push, `reversal` to a request for a reversal; `status` and `reversal_status` to queries about them. */
export type MessageKind = 'answer' | 'status' | 'callback' | 'reversal' | 'reversal_status';

export interface ProviderMessageRow {
  readonly id: string;
  readonly account: Pick<ProviderAccount, 'id' | 'environment'>;
  readonly attemptId: string | null;
  readonly reversalRequestId?: string;
  readonly kind: MessageKind;
  readonly message: Pick<RawAnswer, 'headers' | 'body'> & Partial<Pick<RawAnswer, 'status' | 'error' | 'lost'>>;
  /** The lease under which the call was made; null for a callback. */
  readonly leaseToken: number | null;
  readonly receivedAt: Date;
}

/** How long whoever stored a message has to apply it before a worker does. */
const APPLY_AFTER_MS = 10 * SECOND_MS;

/** Stores a message; one that is stored already is left as it is. */
export async function insertProviderMessage(
  db: Queryable,
  { id, account, attemptId, reversalRequestId, kind, message, leaseToken, receivedAt }: ProviderMessageRow,
): Promise<void> {
  await db.query(
    {
      text: `INSERT INTO provider_message (id, environment, provider_account_id, attempt_id, kind, http_status, headers, body, error, lost,
               reversal_request_id, lease_token, received_at, due_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (id) DO NOTHING`,
    },
    [
      id,
      account.environment,
      account.id,
      attemptId,
      kind,
      message.status ?? null,
      message.headers,
      Buffer.from(message.body),
      message.error ?? null,
      message.lost ?? null,
      reversalRequestId ?? null,
      leaseToken,
      receivedAt,
      addMs(receivedAt, APPLY_AFTER_MS),
    ],
  );
}

/** A provider's message about a prompt, as it came. */
export interface HeardMessage {
  readonly id: string;
  readonly attemptId: string;
  readonly provider: string;
  readonly kind: MessageKind;
  readonly httpStatus: number | null;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Its first bytes; `size` is how many there are. */
  readonly body: Uint8Array;
  readonly size: number;
  readonly error: string | null;
  readonly receivedAt: Date;
}

/** @returns what providers said about a bill's prompts, newest first. */
export async function listHeardMessages(
  db: Queryable,
  scope: Scope,
  billId: string,
  { bytes, limit }: { readonly bytes: number; readonly limit: number },
): Promise<HeardMessage[]> {
  return db.query<HeardMessage>(
    {
      text: `SELECT m.id, m.attempt_id AS "attemptId", c.provider, m.kind, m.http_status AS "httpStatus", m.headers,
               substring(m.body FROM 1 FOR $4) AS body, length(m.body) AS size, m.error, m.received_at AS "receivedAt"
             FROM push_attempt a JOIN provider_message m ON m.attempt_id = a.id JOIN provider_account c ON c.id = m.provider_account_id
             WHERE a.bill_id = $1 AND a.merchant_id = $2 AND a.environment = $3 ORDER BY m.received_at DESC, m.id DESC LIMIT $5`,
    },
    [billId, scope.merchantId, scope.environment, bytes, limit],
  );
}

/** @returns how many there are. */
export async function countHeardMessages(db: Queryable, scope: Scope, billId: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    {
      text: `SELECT count(*)::int AS n FROM push_attempt a JOIN provider_message m ON m.attempt_id = a.id
             WHERE a.bill_id = $1 AND a.merchant_id = $2 AND a.environment = $3`,
    },
    [billId, scope.merchantId, scope.environment],
  );
  return row?.n ?? 0;
}

export async function attachMessage(db: Queryable, messageId: string, attemptId: string): Promise<void> {
  await db.query({ text: 'UPDATE provider_message SET attempt_id = $2 WHERE id = $1' }, [messageId, attemptId]);
}

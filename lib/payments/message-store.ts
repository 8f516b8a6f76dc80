import type { Queryable } from '@/lib/db/database';
import type { ProviderAccount, RawAnswer } from '@/lib/providers/port';

export interface ProviderMessageRow {
  readonly id: string;
  readonly account: Pick<ProviderAccount, 'id' | 'environment'>;
  readonly attemptId: string | null;
  readonly kind: 'answer' | 'status' | 'callback' | 'reversal';
  readonly message: Pick<RawAnswer, 'headers' | 'body'> & Partial<Pick<RawAnswer, 'status' | 'error'>>;
  readonly receivedAt: Date;
}

export async function insertProviderMessage(
  db: Queryable,
  { id, account, attemptId, kind, message, receivedAt }: ProviderMessageRow,
): Promise<void> {
  await db.query(
    {
      text: `INSERT INTO provider_message (id, environment, provider_account_id, attempt_id, kind, http_status, headers, body, error, received_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
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
      receivedAt,
    ],
  );
}

export async function attachMessage(db: Queryable, messageId: string, attemptId: string): Promise<void> {
  await db.query({ text: 'UPDATE provider_message SET attempt_id = $2 WHERE id = $1' }, [messageId, attemptId]);
}

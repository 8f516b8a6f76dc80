import type { Queryable } from '@/lib/db/database';

/** A mail as it is queued; one that cannot be sent to anybody is stored as failed. */
interface NewMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly encryptedText: Uint8Array | null;
  readonly kind: string;
  readonly merchantId: string | null;
  /** Why it is failed from the start. */
  readonly failure: string | null;
  readonly createdAt: Date;
}

/** What a mail's text is encrypted for. */
export function mailContext(id: string): string {
  return `mail:${id}`;
}

export async function insertMail(tx: Queryable, mail: NewMail): Promise<void> {
  await tx.query(
    {
      text: `INSERT INTO mail (id, recipient, subject, encrypted_text, kind, merchant_id, last_error, created_at, state, due_at, settled_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $7::text IS NULL THEN 'QUEUED'::mail_state ELSE 'FAILED'::mail_state END,
               CASE WHEN $7::text IS NULL THEN $8::timestamptz END, CASE WHEN $7::text IS NOT NULL THEN $8::timestamptz END)`,
    },
    [mail.id, mail.recipient, mail.subject, mail.encryptedText, mail.kind, mail.merchantId, mail.failure, mail.createdAt],
  );
}

export interface ClaimedMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly encryptedText: Uint8Array;
  readonly kind: string;
  readonly merchantId: string | null;
  readonly tries: number;
  readonly leaseToken: number;
  readonly createdAt: Date;
}

/** Takes due mails for one worker. */
export async function claimMails(
  db: Queryable,
  { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
): Promise<ClaimedMail[]> {
  return db.query<ClaimedMail>(
    {
      name: 'claim-mails',
      text: `
WITH taken AS (
  SELECT id FROM mail WHERE state = 'QUEUED' AND due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
  ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE mail m SET lease_until = $2, lease_token = m.lease_token + 1 FROM taken WHERE m.id = taken.id
RETURNING m.id, m.recipient, m.subject, m.encrypted_text AS "encryptedText", m.kind, m.merchant_id AS "merchantId", m.tries,
  m.lease_token AS "leaseToken", m.created_at AS "createdAt"`,
    },
    [now, leaseUntil, limit],
  );
}

/** What a try ended with. A mail that stays queued is due again. */
export type Settlement =
  | { readonly state: 'SENT' }
  | { readonly state: 'QUEUED'; readonly dueAt: Date; readonly error: string }
  | { readonly state: 'FAILED'; readonly error: string };

/**
 * Writes what a try ended with, and clears the text of a mail that is settled, if the lease is still ours.
 * @returns whether it was; if not, another worker has the mail and says what becomes of it.
 */
export async function settleMail(
  db: Queryable,
  { id, leaseToken }: Pick<ClaimedMail, 'id' | 'leaseToken'>,
  settlement: Settlement,
  now: Date,
): Promise<boolean> {
  const { state } = settlement;
  const rows = await db.query(
    {
      text: `UPDATE mail SET state = $3, tries = tries + 1, due_at = $4, last_error = $5, lease_until = NULL,
               encrypted_text = CASE WHEN $3 = 'QUEUED'::mail_state THEN encrypted_text END,
               settled_at = CASE WHEN $3 <> 'QUEUED'::mail_state THEN $6::timestamptz END
             WHERE id = $1 AND lease_token = $2 AND state = 'QUEUED' RETURNING 1 AS moved`,
    },
    [id, leaseToken, state, state === 'QUEUED' ? settlement.dueAt : null, state === 'SENT' ? null : settlement.error, now],
  );
  return rows.length > 0;
}

/** Forgets mails that settled before an instant. @returns how many; there may be more. */
export async function deleteSettledMails(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(
    { text: 'DELETE FROM mail WHERE id = ANY (ARRAY(SELECT id FROM mail WHERE settled_at <= $1 LIMIT 1000)) RETURNING 1 AS gone' },
    [before],
  );
  return rows.length;
}

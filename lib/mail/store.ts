import type { Connection, Queryable } from '@/lib/db/database';
import { bytea, bytes, int4, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

export function mailContext(id: string): string {
  return `mail:${id}`;
}

const INSERT_MAIL = statement({
  name: 'insert a mail',
  text: `INSERT INTO mail (id, recipient, subject, encrypted_text, kind, merchant_id, last_error, created_at, state, due_at, settled_at)
         VALUES ($id, $recipient, $subject, $encryptedText, $kind, $merchantId, $failure, $createdAt,
           CASE WHEN $failure::text IS NULL THEN 'QUEUED'::mail_state ELSE 'FAILED'::mail_state END,
           CASE WHEN $failure::text IS NULL THEN $createdAt::timestamptz END,
           CASE WHEN $failure::text IS NOT NULL THEN $createdAt::timestamptz END)`,
  parameters: {
    id: uuid,
    recipient: text,
    subject: text,
    encryptedText: nullable(bytes),
    kind: text,
    merchantId: nullable(uuid),
    /** Why the mail is stored as failed. Null for a mail to send. */
    failure: nullable(text),
    createdAt: timestamptz,
  },
  columns: {},
});

/** Inserts a new mail. A mail to an invalid address is stored as failed. */
export async function insertMail(tx: Queryable, mail: Parameters<typeof INSERT_MAIL.rows>[1]): Promise<void> {
  await INSERT_MAIL.rows(tx, mail);
}

export type ClaimedMail = Awaited<ReturnType<typeof claimMails>>[number];

const CLAIM_MAILS = statement({
  name: 'claim-mails',
  prepared: true,
  text: `
WITH taken AS (
  SELECT id FROM mail WHERE state = 'QUEUED' AND due_at <= $now AND (lease_until IS NULL OR lease_until <= $now)
  ORDER BY due_at, id LIMIT $limit::int FOR UPDATE SKIP LOCKED
)
UPDATE mail m SET lease_until = $leaseUntil, lease_token = m.lease_token + 1 FROM taken WHERE m.id = taken.id
RETURNING m.id, m.recipient, m.subject, m.encrypted_text AS "encryptedText", m.kind, m.merchant_id AS "merchantId", m.tries,
  m.lease_token AS "leaseToken", m.created_at AS "createdAt"`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int4 },
  columns: {
    id: uuid,
    recipient: text,
    subject: text,
    // The text of a mail is deleted only when the mail is settled, so every queued mail has a text.
    encryptedText: neverNull(bytea),
    kind: text,
    merchantId: nullable(uuid),
    tries: int4,
    leaseToken: int4,
    createdAt: timestamptz,
  },
});

export async function claimMails(db: Queryable, claim: Parameters<typeof CLAIM_MAILS.rows>[1]) {
  return CLAIM_MAILS.rows(db, claim);
}

/** The result of an attempt to send a mail. A mail with the state QUEUED is sent again at `dueAt`. */
export type Settlement =
  | { readonly state: 'SENT' }
  | { readonly state: 'QUEUED'; readonly dueAt: Date; readonly error: string }
  | { readonly state: 'FAILED'; readonly error: string };

/**
 * Stores the result of an attempt to send a mail, and deletes the text of a settled mail. Returns false and does nothing if the
 * worker has lost its lease: then another worker has claimed the mail and will store its own result.
 */
export async function settleMail(
  { prisma }: Connection,
  { id, leaseToken }: Pick<ClaimedMail, 'id' | 'leaseToken'>,
  settlement: Settlement,
  now: Date,
): Promise<boolean> {
  const { state } = settlement;
  const { count } = await prisma.mail.updateMany({
    where: { id, leaseToken, state: 'QUEUED' },
    data: {
      state,
      tries: { increment: 1 },
      dueAt: state === 'QUEUED' ? settlement.dueAt : null,
      lastError: state === 'SENT' ? null : settlement.error,
      leaseUntil: null,
      ...(state !== 'QUEUED' && { encryptedText: null }),
      settledAt: state === 'QUEUED' ? null : now,
    },
  });
  return count > 0;
}

const DELETE_SETTLED_MAILS = statement({
  name: 'delete settled mails',
  text: 'DELETE FROM mail WHERE id = ANY (ARRAY(SELECT id FROM mail WHERE settled_at <= $before LIMIT 1000)) RETURNING 1 AS gone',
  parameters: { before: timestamptz },
  columns: { gone: int4 },
});

/** Deletes mails that were settled before an instant, at most 1,000. Returns how many. */
export async function deleteSettledMails(db: Queryable, before: Date): Promise<number> {
  return (await DELETE_SETTLED_MAILS.rows(db, { before })).length;
}

import type { Connection, Queryable } from '@/lib/platform/db/database';
import { mail, merchant } from '@/lib/platform/db/generated/tables';
import { int4, neverNull, nullable, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

export function mailContext(id: string): string {
  return `mail:${id}`;
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
  m.lease_token AS "leaseToken", m.created_at AS "createdAt",
  (SELECT name FROM merchant WHERE id = m.merchant_id) AS "merchantName",
  (SELECT brand_colour FROM merchant WHERE id = m.merchant_id) AS "brandColour"`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int4 },
  columns: {
    ...pick(mail, 'id recipient subject kind merchantId tries leaseToken createdAt'),
    // Null if the mail is about no merchant.
    merchantName: nullable(merchant.name),
    brandColour: merchant.brandColour,
    // The text of a mail is deleted only when the mail is settled, so every queued mail has a text.
    encryptedText: neverNull(mail.encryptedText),
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

/** Deletes mails that were settled before an instant, at most 1,000. Returns how many. */
export async function deleteSettledMails({ prisma }: Connection, before: Date): Promise<number> {
  return (await prisma.mail.deleteMany({ where: { settledAt: { lte: before } }, limit: 1000 })).count;
}

import type { Connection, Queryable } from '@/lib/db/database';
import { int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** A mail in the operator's list, without its text. */
export type ListedMail = Awaited<ReturnType<typeof listMails>>[number];

/** Returns mails, newest first. */
export async function listMails({ prisma }: Connection, { failed, limit }: { readonly failed: boolean; readonly limit: number }) {
  return prisma.mail.findMany({
    where: failed ? { state: 'FAILED' } : {},
    omit: { encryptedText: true, leaseUntil: true, leaseToken: true },
    orderBy: { id: 'desc' },
    take: limit,
  });
}

const COUNT_UNSENT_MAILS = statement({
  name: 'count mail that did not go out',
  text: `SELECT (SELECT count(*)::int FROM mail WHERE state = 'FAILED') AS failed, overdue.count AS overdue, overdue.error AS "lastError"
         FROM (SELECT count(*)::int AS count, (array_agg(last_error ORDER BY id))[1] AS error FROM mail
           WHERE state = 'QUEUED' AND created_at <= $overdueBefore) overdue`,
  parameters: { overdueBefore: timestamptz },
  columns: {
    failed: int4,
    /** The number of mails that were queued before the given instant and are not sent yet. */
    overdue: int4,
    /** The last error of the oldest overdue mail. Null before the first attempt to send it. */
    lastError: nullable(text),
  },
});

export async function countUnsentMails(db: Queryable, overdueBefore: Date) {
  const trouble = await COUNT_UNSENT_MAILS.first(db, { overdueBefore });
  if (!trouble) throw new Error('the query for unsent mails returned no row');
  return trouble;
}

const HAS_MAIL_SINCE = statement({
  name: 'find a mail since an instant',
  text: 'SELECT 1 AS found FROM mail WHERE kind = $kind AND merchant_id = $merchantId AND created_at > $since LIMIT 1',
  parameters: { kind: text, merchantId: uuid, since: timestamptz },
  columns: { found: int4 },
});

/** Returns whether a mail of a kind to a merchant was queued since an instant. */
export async function hasMailSince(db: Queryable, sought: Parameters<typeof HAS_MAIL_SINCE.rows>[1]): Promise<boolean> {
  return (await HAS_MAIL_SINCE.first(db, sought)) !== undefined;
}

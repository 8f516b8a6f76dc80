import type { Connection, Queryable } from '@/lib/db/database';
import { int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** A mail in the operator's list, without its text. */
export interface ListedMail {
  readonly id: string;
  readonly state: 'QUEUED' | 'SENT' | 'FAILED';
  readonly recipient: string;
  readonly subject: string;
  readonly kind: string;
  readonly merchantId: string | null;
  readonly tries: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly dueAt: Date | null;
  readonly settledAt: Date | null;
}

/** Returns mails, newest first. */
export async function listMails(
  { prisma }: Connection,
  { failed, limit }: { readonly failed: boolean; readonly limit: number },
): Promise<ListedMail[]> {
  return prisma.mail.findMany({
    where: failed ? { state: 'FAILED' } : {},
    select: {
      id: true,
      state: true,
      recipient: true,
      subject: true,
      kind: true,
      merchantId: true,
      tries: true,
      lastError: true,
      createdAt: true,
      dueAt: true,
      settledAt: true,
    },
    orderBy: { id: 'desc' },
    take: limit,
  });
}

/** Mails that were not sent. */
interface UnsentMails {
  readonly failed: number;
  /** Mails that were queued before the given instant and are not sent yet. */
  readonly overdue: number;
  /** The last error of the oldest overdue mail. Null if nothing was tried yet. */
  readonly lastError: string | null;
}

const COUNT_UNSENT_MAILS = statement({
  name: 'count mail that did not go out',
  text: `SELECT (SELECT count(*)::int FROM mail WHERE state = 'FAILED') AS failed, overdue.count AS overdue, overdue.error AS "lastError"
         FROM (SELECT count(*)::int AS count, (array_agg(last_error ORDER BY id))[1] AS error FROM mail
           WHERE state = 'QUEUED' AND created_at <= $overdueBefore) overdue`,
  parameters: { overdueBefore: timestamptz },
  columns: { failed: int4, overdue: int4, lastError: nullable(text) },
});

export async function countUnsentMails(db: Queryable, overdueBefore: Date): Promise<UnsentMails> {
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
export async function hasMailSince(
  db: Queryable,
  sought: { readonly kind: string; readonly merchantId: string; readonly since: Date },
): Promise<boolean> {
  return (await HAS_MAIL_SINCE.first(db, sought)) !== undefined;
}

import type { Queryable } from '@/lib/db/database';

/** A mail without its text. */
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

/** @returns mails newest first. */
export async function listMails(
  db: Queryable,
  { failed, limit }: { readonly failed: boolean; readonly limit: number },
): Promise<ListedMail[]> {
  return db.query<ListedMail>(
    {
      text: `SELECT id, state, recipient, subject, kind, merchant_id AS "merchantId", tries, last_error AS "lastError", created_at AS "createdAt",
               due_at AS "dueAt", settled_at AS "settledAt"
             FROM mail WHERE NOT $1 OR state = 'FAILED' ORDER BY id DESC LIMIT $2`,
    },
    [failed, limit],
  );
}

/** Mail that did not go out. */
interface MailTrouble {
  readonly failed: number;
  /** Written before the instant asked for, and not sent yet. */
  readonly overdue: number;
  /** What kept the oldest overdue one back; null when it was never tried. */
  readonly lastError: string | null;
}

export async function countTrouble(db: Queryable, overdueBefore: Date): Promise<MailTrouble> {
  const [trouble] = await db.query<MailTrouble>(
    {
      text: `SELECT (SELECT count(*)::int FROM mail WHERE state = 'FAILED') AS failed, overdue.count AS overdue, overdue.error AS "lastError"
             FROM (SELECT count(*)::int AS count, (array_agg(last_error ORDER BY id))[1] AS error FROM mail
               WHERE state = 'QUEUED' AND created_at <= $1) overdue`,
    },
    [overdueBefore],
  );
  if (!trouble) throw new Error('a count has one row');
  return trouble;
}

/** @returns whether a merchant was written to about something since then. */
export async function hasMailSince(
  db: Queryable,
  { kind, merchantId, since }: { readonly kind: string; readonly merchantId: string; readonly since: Date },
): Promise<boolean> {
  const rows = await db.query({ text: 'SELECT 1 AS found FROM mail WHERE kind = $1 AND merchant_id = $2 AND created_at > $3 LIMIT 1' }, [
    kind,
    merchantId,
    since,
  ]);
  return rows.length > 0;
}

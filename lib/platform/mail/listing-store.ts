import type { Connection, Queryable } from '@/lib/platform/db/database';
import { mail } from '@/lib/platform/db/generated/tables';
import { int4, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

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

const HAS_MAIL_SINCE = statement({
  name: 'find a mail since an instant',
  text: 'SELECT 1 AS found FROM mail WHERE kind = $kind AND merchant_id = $merchantId AND created_at > $since LIMIT 1',
  parameters: { kind: mail.kind, merchantId: uuid, since: timestamptz },
  columns: { found: int4 },
});

/** Returns whether a mail of a kind to a merchant was queued since an instant. */
export async function hasMailSince(db: Queryable, sought: Parameters<typeof HAS_MAIL_SINCE.rows>[1]): Promise<boolean> {
  return (await HAS_MAIL_SINCE.first(db, sought)) !== undefined;
}

import { lowestId } from '@/lib/core/ids';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';

export async function insertEntry(on: Queryable, entry: Prisma.AuditEntryCreateInput): Promise<void> {
  const { id, merchantId, environment, actor, action, subject, address, data, at } = entry;
  await on.query(
    {
      text: `INSERT INTO audit_entry (id, merchant_id, environment, actor, action, subject, address, data, at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    },
    [id, merchantId, environment, actor, action, subject, address, data, at],
  );
}

interface Deed extends Scope {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
}

/** @returns whether somebody has done something to the same object since an instant. */
export async function hasEntrySince(
  db: Queryable,
  { merchantId, environment, actor, action, subject }: Deed,
  since: Date,
): Promise<boolean> {
  const [found] = await db.query(
    {
      text: `SELECT 1 AS found FROM audit_entry
             WHERE merchant_id = $1 AND id >= $2 AND environment = $3 AND actor = $4 AND action = $5 AND subject = $6 LIMIT 1`,
    },
    [merchantId, lowestId(since.getTime()), environment, actor, action, subject],
  );
  return found !== undefined;
}

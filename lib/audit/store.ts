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

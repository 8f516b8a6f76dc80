import { lowestId } from '@/lib/core/ids';
import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import type { AuditEntry, Prisma } from '@/lib/db/generated/client';
import { environment, jsonb, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

export interface AuditRow extends Omit<AuditEntry, 'data' | 'chainNumber' | 'chainHash'> {
  readonly data: Prisma.InputJsonObject;
}

const INSERT_ENTRY = statement({
  name: 'insert an audit entry',
  text: `INSERT INTO audit_entry (id, merchant_id, environment, actor, action, subject, address, data, at)
         VALUES ($id, $merchantId, $environment, $actor, $action, $subject, $address, $data, $at)`,
  parameters: {
    id: uuid,
    merchantId: nullable(uuid),
    environment: nullable(environment),
    actor: text,
    action: text,
    subject: text,
    address: nullable(text),
    data: jsonb,
    at: timestamptz,
  },
  columns: {},
});

export async function insertEntry(on: Queryable, entry: AuditRow): Promise<void> {
  await INSERT_ENTRY.rows(on, entry);
}

interface Action extends Scope {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
}

/** Returns whether the log has an entry with the same actor, action and object since an instant. */
export async function hasEntrySince(
  { prisma }: Connection,
  { merchantId, environment, actor, action, subject }: Action,
  since: Date,
): Promise<boolean> {
  const found = await prisma.auditEntry.findFirst({
    where: { merchantId, id: { gte: lowestId(since.getTime()) }, environment, actor, action, subject },
    select: { id: true },
  });
  return found !== null;
}

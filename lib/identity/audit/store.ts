import type { Queryable } from '@/lib/platform/db/database';
import type { AuditEntry, Prisma } from '@/lib/platform/db/generated/client';
import { auditEntry } from '@/lib/platform/db/generated/tables';
import { pick } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRow } from '@/lib/platform/db/unnest';

export interface AuditRow extends Omit<AuditEntry, 'data' | 'chainNumber' | 'chainHash'> {
  readonly data: Prisma.InputJsonObject;
}

const NEW_ENTRY = pick(auditEntry, 'id merchantId environment actor action subject address data at');
const INSERT_ENTRY = statement({ name: 'insert an audit entry', text: insertRow('audit_entry', NEW_ENTRY), parameters: NEW_ENTRY });

export async function insertEntry(on: Queryable, entry: AuditRow): Promise<void> {
  await INSERT_ENTRY.rows(on, entry);
}

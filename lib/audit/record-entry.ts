import type { Environment, Runtime } from '@/lib/config/runtime';
import { newId } from '@/lib/core/ids';
import type { Prisma } from '@/lib/db/generated/client';

export interface AuditEntry {
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  /** Who: `user:<email>`, `key:<id>`, `operator:cli`. */
  readonly actor: string;
  /** What, past tense: `key.created`. */
  readonly action: string;
  /** On what: an id. Never a secret. */
  readonly subject: string;
  readonly address: string | null;
  readonly data?: Prisma.InputJsonObject;
}

/** @returns the row, for whoever writes it in a transaction of their own. */
export function auditRow(runtime: Pick<Runtime, 'clock' | 'random'>, { data = {}, ...entry }: AuditEntry): Prisma.AuditEntryCreateInput {
  return { id: newId(runtime), ...entry, data, at: runtime.clock() };
}

export async function recordEntry(runtime: Pick<Runtime, 'db' | 'clock' | 'random'>, entry: AuditEntry): Promise<void> {
  await runtime.db.prisma.auditEntry.create({ data: auditRow(runtime, entry) });
}

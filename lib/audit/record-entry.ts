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

export async function recordEntry(runtime: Pick<Runtime, 'db' | 'clock' | 'random'>, { data = {}, ...entry }: AuditEntry): Promise<void> {
  await runtime.db.prisma.auditEntry.create({ data: { id: newId(runtime), ...entry, data, at: runtime.clock() } });
}

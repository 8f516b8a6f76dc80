import type { Environment, Runtime } from '@/lib/config/runtime';
import { newId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import { insertEntry } from './store';

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
  // The id comes last: a scope that is a whole row would bring its own.
  return { ...entry, data, id: newId(runtime), at: runtime.clock() };
}

/** @param on the transaction that does what the entry says, so that neither is ever there without the other. */
export async function recordEntry(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  entry: AuditEntry,
  on: Queryable = runtime.db,
): Promise<void> {
  await insertEntry(on, auditRow(runtime, entry));
}

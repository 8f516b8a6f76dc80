import { newId } from '@/lib/core/ids';
import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import type { Runtime } from '@/lib/runtime/runtime';
import { type AuditRow, insertEntry } from './store';

export interface AuditEntry {
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  /** Who did it: `user:<email>`, `key:<id>` or `operator:<login>`. */
  readonly actor: string;
  /** What was done, in the past tense: `key.created`. */
  readonly action: string;
  /** The id of the object. Never a secret. */
  readonly subject: string;
  readonly address: string | null;
  readonly data?: Prisma.InputJsonObject;
}

/** The actor of a command if the operator's name is not known. */
export const UNKNOWN_OPERATOR = 'operator:unknown';

/** A command would change live data, and the operator's name is not known. */
export class UnknownOperatorError extends Error {
  override readonly name = 'UnknownOperatorError';

  constructor() {
    super('Changes to live data need the name of the operator for the audit log: add --as <name> or set BILI_OPERATOR=<name>.');
  }
}

/** Returns the row of an entry, for callers that insert it themselves. */
export function auditRow(runtime: Pick<Runtime, 'clock' | 'random' | 'operatorAddress'>, { data = {}, ...entry }: AuditEntry): AuditRow {
  if (entry.environment === 'live' && entry.actor === UNKNOWN_OPERATOR) throw new UnknownOperatorError();
  const address = entry.address ?? runtime.operatorAddress ?? null;
  // The id comes last, because an entry that spreads a whole row as its scope contains the id of that row.
  return { ...entry, address, data, id: newId(runtime), at: runtime.clock() };
}

/** Inserts an audit entry. `on` is the transaction of the action itself, so that both are committed together. */
export async function recordEntry(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'operatorAddress'>,
  entry: AuditEntry,
  on: Queryable = runtime.db,
): Promise<void> {
  await insertEntry(on, auditRow(runtime, entry));
}

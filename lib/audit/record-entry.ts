import { newId } from '@/lib/core/ids';
import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import type { Runtime } from '@/lib/runtime/runtime';
import { type AuditRow, insertEntry } from './store';

export interface AuditEntry {
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  /** Who: `user:<email>`, `key:<id>`, `operator:<login>`. */
  readonly actor: string;
  /** What, past tense: `key.created`. */
  readonly action: string;
  /** On what: an id. Never a secret. */
  readonly subject: string;
  readonly address: string | null;
  readonly data?: Prisma.InputJsonObject;
}

/** The actor of a command that nobody in particular runs. */
export const UNKNOWN_OPERATOR = 'operator:unknown';

/** Something in live is done by a command, and nothing says by whom. The message says what to do. */
export class UnknownOperatorError extends Error {
  override readonly name = 'UnknownOperatorError';

  constructor() {
    super('In live it is on record who acts: say who you are by --as <name> or BILI_OPERATOR=<name>. This login names no person.');
  }
}

/** @returns the row, for whoever writes it in a transaction of their own. */
export function auditRow(runtime: Pick<Runtime, 'clock' | 'random' | 'operatorAddress'>, { data = {}, ...entry }: AuditEntry): AuditRow {
  if (entry.environment === 'live' && entry.actor === UNKNOWN_OPERATOR) throw new UnknownOperatorError();
  const address = entry.address ?? runtime.operatorAddress ?? null;
  // The id comes last: a scope that is a whole row would bring its own.
  return { ...entry, address, data, id: newId(runtime), at: runtime.clock() };
}

/** @param on the transaction that does what the entry says, so that neither is ever there without the other. */
export async function recordEntry(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'operatorAddress'>,
  entry: AuditEntry,
  on: Queryable = runtime.db,
): Promise<void> {
  await insertEntry(on, auditRow(runtime, entry));
}

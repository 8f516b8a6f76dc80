import { ExpectedError } from '@/lib/config/expected-error';
import { type Actor, isUnknownOperator } from '@/lib/core/actor';
import { newId } from '@/lib/core/ids';
import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { Prisma } from '@/lib/db/generated/client';
import type { Runtime, WriteRuntime } from '@/lib/runtime/runtime';
import { type AuditRow, insertEntry } from './store';

export interface AuditEntry {
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly actor: Actor;
  /** What was done, in the past tense: `key.created`. */
  readonly action: string;
  /** The id of the object. Never a secret. */
  readonly subject: string;
  readonly data?: Prisma.InputJsonObject;
}

/** A command would change live data, but the operator's name is not known. */
class UnknownOperatorError extends ExpectedError {
  override readonly name = 'UnknownOperatorError';

  constructor() {
    super('Changes to live data need the name of the operator for the audit log: add --as <name> or set BILI_OPERATOR=<name>.');
  }
}

/** Returns the row of an entry, for callers that insert it themselves. Throws if an unnamed operator changes live data. */
export function auditRow(runtime: Pick<Runtime, 'clock' | 'random'>, { data = {}, actor, ...entry }: AuditEntry): AuditRow {
  if (entry.environment === 'live' && isUnknownOperator(actor)) throw new UnknownOperatorError();
  // The new id comes after `entry`, which may contain another id: some callers spread a whole row into the entry.
  return { ...entry, actor: actor.name, address: actor.address, data, id: newId(runtime), at: runtime.clock() };
}

/**
 * Inserts an audit entry. `on` is the transaction of the action that the entry records, so that the action and its entry are committed
 * together.
 */
export async function recordEntry(runtime: WriteRuntime, entry: AuditEntry, on: Queryable = runtime.db): Promise<void> {
  await insertEntry(on, auditRow(runtime, entry));
}

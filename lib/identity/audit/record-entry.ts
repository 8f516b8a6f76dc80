import { ExpectedError } from '@/lib/platform/config/expected-error';
import { type Actor, isUnknownOperator } from '@/lib/platform/core/actor';
import { newId } from '@/lib/platform/core/ids';
import type { Environment } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import type { Prisma } from '@/lib/platform/db/generated/client';
import type { Runtime, WriteRuntime } from '@/lib/platform/runtime/runtime';
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

/** A command would change something outside the sandbox, or print a secret of live, but the operator's name is not known. */
export class UnknownOperatorError extends ExpectedError {
  override readonly name = 'UnknownOperatorError';

  constructor() {
    super('This needs the name of the operator for the audit log: add --as <name> or set BILI_OPERATOR=<name>.');
  }
}

/**
 * Returns the row of an entry, for callers that insert it themselves. A command's `--reason` becomes part of the entry. Throws if an
 * unnamed operator changes something outside the sandbox. Entries without an environment are about live, too: they are about people,
 * merchants and settings of the installation.
 */
export function auditRow(runtime: Pick<Runtime, 'clock' | 'random'>, { data = {}, actor, ...entry }: AuditEntry): AuditRow {
  if (entry.environment !== 'sandbox' && isUnknownOperator(actor)) throw new UnknownOperatorError();
  // The new id comes after `entry`, which may contain another id: some callers spread a whole row into the entry.
  const withReason = actor.reason === null ? data : { ...data, reason: actor.reason };
  return { ...entry, actor: actor.name, address: actor.address, data: withReason, id: newId(runtime), at: runtime.clock() };
}

/**
 * Inserts an audit entry. `on` is the transaction of the action that the entry records, so that the action and its entry are committed
 * together.
 */
export async function recordEntry(runtime: WriteRuntime, entry: AuditEntry, on: Queryable = runtime.db): Promise<void> {
  await insertEntry(on, auditRow(runtime, entry));
}

type Plain = string | number | boolean | null;
type Facts = Readonly<Record<string, Plain | undefined>>;

/** Pure. Returns the changed fields before and after, for the `data` of an audit entry. Fields missing in `change` are not changed. */
export function differences(
  whole: Facts,
  change: Facts,
): { readonly before: Record<string, Plain>; readonly after: Record<string, Plain> } {
  const before: Record<string, Plain> = {};
  const after: Record<string, Plain> = {};
  for (const [key, now] of Object.entries(change)) {
    const old = whole[key] ?? null;
    if (now === undefined || now === old) continue;
    before[key] = old;
    after[key] = now;
  }
  return { before, after };
}

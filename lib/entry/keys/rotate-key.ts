import { listLivingProcesses, type SeenProcess } from '@/lib/entry/processes/store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Secrets } from '@/lib/platform/config/secrets';
import type { Actor } from '@/lib/platform/core/actor';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Database } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { countEncrypted, ENCRYPTED_COLUMNS, type EncryptedColumn, headOf } from './encrypted-columns';

/** How many values are read at a time. Each is replaced by a statement of its own, so no other transaction waits for a batch. */
const PAGE = 200;

/** Why the values were not all encrypted again. What was done until then stays done. */
export type RotateProblem =
  /** The settings have only one master key, so no other one can be replaced. */
  | { readonly code: 'one_key' }
  /** These processes still encrypt with another key. */
  | { readonly code: 'writers'; readonly processes: readonly SeenProcess[] }
  /** This value cannot be decrypted with any key of the settings. */
  | { readonly code: 'unreadable'; readonly value: string }
  | { readonly code: 'stopped'; readonly replaced: number };

interface RotateOptions {
  readonly actor: Actor;
  /** Aborted when the work must stop. It can be started again. */
  readonly signal: AbortSignal;
}

/** Returns the processes that do not encrypt with this key. Processes of an older version are among them. */
async function findOtherWriters(db: Database, keyId: string): Promise<SeenProcess[]> {
  return (await listLivingProcesses(db)).filter(({ keyIds }) => keyIds[0] !== keyId);
}

/**
 * Encrypts every value again that is not encrypted with the current master key. Other processes may read and write meanwhile: a value that
 * somebody changes is not overwritten. Returns the number of values.
 */
export async function rotateKey(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  { actor, signal }: RotateOptions,
): Promise<Result<number, RotateProblem>> {
  const { db, secrets } = runtime;
  const [current] = secrets.keyIds;
  if (secrets.keyIds.length === 1) return fail({ code: 'one_key' });
  const processes = await findOtherWriters(db, current);
  if (processes.length > 0) return fail({ code: 'writers', processes });
  const entry = { merchantId: null, environment: null, actor, subject: current };
  const from = (await countEncrypted(db)).filter(({ keyId }) => keyId !== current);
  if (from.length === 0) return ok(0);
  await recordEntry(runtime, { ...entry, action: 'master_key.rotation_started' });
  let replaced = 0;
  // A value that was changed while it was replaced is found in the next round.
  for (let round = -1; round !== 0; ) {
    round = 0;
    for (const column of ENCRYPTED_COLUMNS) {
      const done = await replaceColumn({ db, secrets, signal }, column);
      if (!done.ok) return fail(done.error);
      if (signal.aborted) return fail({ code: 'stopped', replaced: replaced + round + done.value });
      round += done.value;
    }
    replaced += round;
  }
  // A process may have started with the other key meanwhile.
  const late = await findOtherWriters(db, current);
  if (late.length > 0) return fail({ code: 'writers', processes: late });
  await recordEntry(runtime, { ...entry, action: 'master_key.rotated', data: { values: replaced } });
  return ok(replaced);
}

interface Work {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
}

/** Encrypts the values of a column again. Returns how many were found. */
async function replaceColumn({ db, secrets, signal }: Work, column: EncryptedColumn): Promise<Result<number, RotateProblem>> {
  let found = 0;
  for (let after: string | null = null; !signal.aborted; ) {
    const page = await column.list.rows(db, { head: headOf(secrets), after, limit: PAGE });
    for (const row of page) {
      if (signal.aborted) break;
      const text = decryptOrNull(secrets, column, row);
      if (text === null) return fail({ code: 'unreadable', value: `${column.name} ${row.id}` });
      await column.replace.rows(db, { id: row.id, old: row.value, next: secrets.encrypt(text, column.contextOf(row)) });
      found += 1;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.id;
  }
  return ok(found);
}

/** Returns the text of a value; null if no master key of the settings fits. */
export function decryptOrNull(secrets: Secrets, column: EncryptedColumn, row: Parameters<EncryptedColumn['contextOf']>[0]): string | null {
  try {
    return secrets.decrypt(row.value, column.contextOf(row));
  } catch {
    return null;
  }
}

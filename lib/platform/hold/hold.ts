import { ExpectedError } from '@/lib/platform/config/expected-error';
import type { Queryable } from '@/lib/platform/db/database';
import type { Log } from '@/lib/platform/log/log';
import { type Hold, readHold } from './hold-store';

/** The hold as a process knows it. `unread`: the process has not read its database yet, so it sends nothing. */
type KnownHold = Hold | 'unread' | null;

declare global {
  // The variable is global, because the web process has two copies of this module: in our bundle and in the one that Next.js builds.
  // Undefined in processes without a database of Bili, such as a provider's simulator.
  var biliHold: KnownHold | undefined;
}

/** A call to somebody outside was refused, because this copy of the database is on hold. Nothing was sent. */
export class OnHold extends ExpectedError {
  override readonly name = 'OnHold';

  constructor(hold: Hold | 'unread') {
    super(
      hold === 'unread'
        ? 'Nothing is sent before the database was read.'
        : `This copy of Bili is on hold since ${hold.since.toISOString()} and sends nothing (${hold.reason}). See "A restored copy" in docs/operating.md.`,
    );
  }
}

/** Makes this process send nothing until it has read from its database whether the copy is on hold. */
export function awaitHold(): void {
  globalThis.biliHold = 'unread';
}

/** Reads from the database whether the copy is on hold. The whole process knows it from then on. Logs each change. */
export async function refreshHold({ db, log }: { readonly db: Queryable; readonly log: Log }): Promise<void> {
  const before = currentHold();
  const hold = await readHold(db);
  globalThis.biliHold = hold;
  if (hold !== null && before === null)
    log.warn(hold, 'this copy of the database is on hold: nothing is sent, and no bill can be created or paid; see: bili hold');
  if (hold === null && before !== null) log.warn('the hold of this copy of the database has ended');
}

/** Returns whether this process knows that its copy of the database is on hold. Null if it is not, or if that is not known yet. */
export function currentHold(): Hold | null {
  const { biliHold: hold } = globalThis;
  return hold === undefined || hold === 'unread' ? null : hold;
}

/** Returns whether this process may call anybody outside. */
export function maySend(): boolean {
  return (globalThis.biliHold ?? null) === null;
}

/** Throws OnHold if this process may call nobody. Every client for calls, mails and messages to the outside calls it first. */
export function refuseOnHold(): void {
  const { biliHold: hold } = globalThis;
  if (hold) throw new OnHold(hold);
}

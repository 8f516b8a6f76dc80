import type { Queryable } from '@/lib/platform/db/database';
import { hold } from '@/lib/platform/db/generated/tables';
import { pick, select } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

const COLUMNS = pick(hold, 'since reason');

/** Since when a copy of the database is on hold, and why. */
export interface Hold {
  readonly since: Date;
  readonly reason: string;
}

const READ = statement({ name: 'read-hold', prepared: true, text: `SELECT ${select(COLUMNS)} FROM hold`, columns: COLUMNS });

/** Returns whether the copy is on hold; null if it is not. */
export async function readHold(db: Queryable): Promise<Hold | null> {
  return (await READ.first(db, {})) ?? null;
}

const INSERT = statement({
  name: 'put a copy on hold',
  text: `INSERT INTO hold (since, reason) VALUES ($since, $reason) ON CONFLICT (id) DO UPDATE SET since = hold.since
         RETURNING ${select(COLUMNS)}`,
  parameters: COLUMNS,
  columns: COLUMNS,
});

/**
 * Puts the copy on hold. A hold that it has already stays as it is. `bili restore` calls it on a restored database before any process starts.
 * @returns the hold of the copy.
 */
export async function insertHold(db: Queryable, hold: Hold): Promise<Hold> {
  const [stored = hold] = await INSERT.rows(db, hold);
  return stored;
}

const LOCK = statement({ name: 'lock the hold', text: `SELECT ${select(COLUMNS)} FROM hold FOR UPDATE`, columns: COLUMNS });

/** Locks and returns the hold; null if the copy is not on hold. */
export async function lockHold(tx: Queryable): Promise<Hold | null> {
  return (await LOCK.first(tx, {})) ?? null;
}

const DELETE = statement({ name: 'end the hold', text: 'DELETE FROM hold' });

/** Ends the hold. */
export async function deleteHold(tx: Queryable): Promise<void> {
  await DELETE.rows(tx, {});
}

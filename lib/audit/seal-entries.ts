import { reach } from '@/lib/config/fail-point';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { authenticate, beginningOf, type ChainedRow, type Head, hashRow, isAuthentic } from './chain-rules';
import { findHead, listUnsealedChains, lockSealer, upsertHead } from './chain-store';
import { findLastNumber, listUnsealed, type Seal, sealRows } from './sealed-rows-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'secrets' | 'log'>;

/** One commit's worth: a first run over years of rows goes in such steps, and each outlives a crash. */
export const BATCH = 1_000;

/**
 * Chains the rows that have been committed since, a batch of each chain. Rows are written unchained, in the transactions of what
 * they are about: chaining them there would have all of those wait for each other. @returns whether there may be more to do.
 */
export async function sealEntries(runtime: Needs): Promise<boolean> {
  let more = false;
  for (const chain of await listUnsealedChains(runtime.db)) {
    try {
      const sealed = await runtime.db.transaction((tx) => sealBatch(runtime, tx, chain));
      if (sealed > 0) reach('seal.committed');
      more ||= sealed === BATCH;
    } catch (error) {
      // One chain that somebody has broken keeps no other from going on.
      runtime.log.error({ err: error, chain }, 'a chain of the audit log cannot be continued: see "bili audit verify"');
    }
  }
  return more;
}

/** All or nothing: rows and head are never apart. @returns how many rows. */
async function sealBatch({ clock, secrets }: Needs, tx: Queryable, chain: string): Promise<number> {
  if (!(await lockSealer(tx))) return 0;
  const key = secrets.key('audit');
  const before = await findHead(tx, chain);
  await checkHead(tx, chain, before, key);
  const rows = await listUnsealed(tx, chain, BATCH);
  const seals = chainRows(rows, before?.number ?? 0n, before?.hash ?? beginningOf(chain));
  const last = seals.at(-1);
  if (!last) return 0;
  if ((await sealRows(tx, seals)) !== seals.length) throw new Error('rows of the audit log changed while they were sealed');
  reach('seal.chained');
  const head = { chain, number: last.number, hash: last.hash, sealedAt: clock() };
  await upsertHead(tx, { ...head, mac: authenticate(key, head) });
  reach('seal.headed');
  return seals.length;
}

/**
 * The chain goes on from what the head says, never from what stands in the rows: a row that was taken away stays missing, whatever
 * is sealed after it. Throws where there is no head that can be believed: going on would hide what somebody did.
 */
async function checkHead(tx: Queryable, chain: string, head: Head | undefined, key: Buffer): Promise<void> {
  if (head && !isAuthentic(key, head)) throw new Error('its head was not made by this deployment');
  const last = await findLastNumber(tx, chain);
  if (last !== null && last > (head?.number ?? 0n)) throw new Error('its rows go further than its head');
}

function chainRows(rows: readonly ChainedRow[], number: bigint, hash: Buffer): Seal[] {
  const seals: Seal[] = [];
  let [last, before] = [number, hash];
  for (const row of rows) {
    last += 1n;
    before = hashRow(before, last, row);
    seals.push({ id: row.id, number: last, hash: before });
  }
  return seals;
}

import { reach } from '@/lib/config/fail-point';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { authenticate, type ChainedRow, type Head, hashRow, initialHash, isAuthentic } from './chain-rules';
import { findHead, listUnsealedChains, lockSealer, upsertHead } from './chain-store';
import { findLastNumber, listUnsealed, type Seal, sealRows } from './sealed-rows-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'secrets' | 'log'>;

/**
 * How many rows are sealed per commit. If years of rows are unsealed, many commits are needed. After a crash, the rows of earlier commits
 * stay sealed.
 */
export const BATCH = 1_000;

/**
 * Seals committed rows: one batch of each chain. The transaction of an action inserts its row unsealed. If it also sealed the row, all such
 * transactions would have to wait for each other. Returns true if a chain had a full batch, so that more rows can be waiting.
 */
export async function sealEntries(runtime: Needs): Promise<boolean> {
  let more = false;
  for (const chain of await listUnsealedChains(runtime.db)) {
    try {
      const sealed = await runtime.db.transaction((tx) => sealBatch(runtime, tx, chain));
      if (sealed > 0) reach('seal.committed');
      more ||= sealed === BATCH;
    } catch (error) {
      // A broken chain must not prevent the sealing of the other chains.
      runtime.log.error({ err: error, chain }, 'a chain of the audit log is broken and cannot be continued: run "bili audit verify"');
    }
  }
  return more;
}

/** Seals rows and updates the head in one transaction. Returns how many rows were sealed. */
async function sealBatch({ clock, secrets }: Needs, tx: Queryable, chain: string): Promise<number> {
  if (!(await lockSealer(tx))) return 0;
  const key = secrets.key('audit');
  const before = await findHead(tx, chain);
  await checkHead(tx, chain, before, key);
  const rows = await listUnsealed(tx, chain, BATCH);
  const seals = chainRows(rows, before?.number ?? 0n, before?.hash ?? initialHash(chain));
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
 * Checks the head before the chain is continued from it. The chain continues from the head and not from the newest row, so a verification
 * finds a deleted row even after more rows are sealed. Throws if the head is not authentic, or if there are sealed rows that it does not
 * include, because continuing would hide a manipulation.
 */
async function checkHead(tx: Queryable, chain: string, head: Head | undefined, key: Buffer): Promise<void> {
  if (head && !isAuthentic(key, head)) throw new Error('the head of the chain was not created by this deployment');
  const last = await findLastNumber(tx, chain);
  if (last !== null && last > (head?.number ?? 0n)) throw new Error('the chain has sealed rows after its head');
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

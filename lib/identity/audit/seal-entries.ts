import { reach } from '@/lib/platform/config/fail-point';
import { columnsOf } from '@/lib/platform/core/columns-of';
import { ADVISORY_LOCKS } from '@/lib/platform/db/advisory-locks';
import type { Connection } from '@/lib/platform/db/database';
import { auditEntry } from '@/lib/platform/db/generated/tables';
import { array, boolean, bytes, int4, int8, text } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { authenticate, type ChainedRow, type Head, hashRow, initialHash, isAuthentic, OPERATOR_CHAIN } from './chain-rules';
import { findHead, findLastNumber, HEAD, listUnsealed } from './chain-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'secrets' | 'log'>;

/**
 * How many rows are sealed per commit. If years of rows are unsealed, many commits are needed. After a crash, the rows of earlier commits
 * stay sealed.
 */
export const BATCH = 1_000;

/** Lists the chains with unsealed rows. The query needs one index lookup per chain, however many rows are unsealed. */
const LIST_UNSEALED_CHAINS = statement({
  name: 'list unsealed chains',
  text: `WITH RECURSIVE waiting AS (
           (SELECT merchant_id FROM audit_entry WHERE chain_number IS NULL AND merchant_id IS NOT NULL ORDER BY merchant_id LIMIT 1)
           UNION ALL
           SELECT (SELECT e.merchant_id FROM audit_entry e WHERE e.chain_number IS NULL AND e.merchant_id > w.merchant_id ORDER BY e.merchant_id LIMIT 1)
           FROM waiting w WHERE w.merchant_id IS NOT NULL
         )
         SELECT merchant_id::text AS chain FROM waiting WHERE merchant_id IS NOT NULL
         UNION ALL
         SELECT '${OPERATOR_CHAIN}' WHERE EXISTS (SELECT 1 FROM audit_entry WHERE chain_number IS NULL AND merchant_id IS NULL)`,
  columns: { chain: text },
});

/**
 * Seals committed rows: one batch of each chain. The transaction of an action inserts its row unsealed. If it also sealed the row, all such
 * transactions would have to wait for each other. Returns true if a chain had a full batch, so that more rows can be waiting.
 */
export async function sealEntries(runtime: Needs): Promise<boolean> {
  let more = false;
  for (const { chain } of await LIST_UNSEALED_CHAINS.rows(runtime.db, {})) {
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

/** Locks the sealing of audit entries until the transaction ends, unless another worker has the lock. */
const LOCK_SEALER = statement({
  name: 'lock the sealer',
  text: 'SELECT pg_try_advisory_xact_lock($lock) AS locked',
  parameters: { lock: int8 },
  columns: { locked: boolean },
});

const UPSERT_HEAD = statement({
  name: 'upsert the head of a chain',
  text: `INSERT INTO audit_head (chain, number, hash, sealed_at, mac) VALUES ($chain, $number, $hash, $sealedAt, $mac)
         ON CONFLICT (chain) DO UPDATE SET number = $number, hash = $hash, sealed_at = $sealedAt, mac = $mac`,
  parameters: HEAD,
});

interface Seal {
  readonly id: string;
  readonly number: bigint;
  readonly hash: Buffer;
}

/** Seals rows. Returns one row for each. They are fewer than the given ones if some were deleted or already sealed. */
const SEAL_ROWS = statement({
  name: 'seal audit entries',
  text: `UPDATE audit_entry e SET chain_number = s.number, chain_hash = s.hash
         FROM unnest($id::uuid[], $number::bigint[], $hash::bytea[]) AS s (id, number, hash)
         WHERE e.id = s.id AND e.chain_number IS NULL RETURNING 1 AS sealed`,
  parameters: { id: array(auditEntry.id), number: array(int8), hash: array(bytes) },
  columns: { sealed: int4 },
});

/** Seals rows and updates the head in one transaction. Returns how many rows were sealed. */
async function sealBatch({ clock, secrets }: Needs, tx: Connection, chain: string): Promise<number> {
  if (!(await LOCK_SEALER.first(tx, { lock: BigInt(ADVISORY_LOCKS.sealAudit) }))?.locked) return 0;
  const key = secrets.key('audit');
  const before = await findHead(tx, chain);
  await checkHead(tx, chain, before, key);
  const rows = await listUnsealed(tx, chain, BATCH);
  const seals = chainRows(rows, before?.number ?? 0n, before?.hash ?? initialHash(chain));
  const last = seals.at(-1);
  if (!last) return 0;
  const sealed = await SEAL_ROWS.rows(tx, columnsOf(seals, SEAL_ROWS.parameters));
  if (sealed.length !== seals.length) throw new Error('rows of the audit log changed while they were sealed');
  reach('seal.chained');
  const head = { chain, number: last.number, hash: last.hash, sealedAt: clock() };
  await UPSERT_HEAD.rows(tx, { ...head, mac: authenticate(key, head) });
  reach('seal.headed');
  return seals.length;
}

/**
 * Checks the head before the chain is continued from it. The chain continues from the head and not from the newest row, so a verification
 * finds a deleted row even after more rows are sealed. Throws if the head is not authentic, or if there are sealed rows that it does not
 * include, because continuing would hide a manipulation.
 */
async function checkHead(tx: Connection, chain: string, head: Head | undefined, key: Buffer): Promise<void> {
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

import { ADVISORY_LOCKS } from '@/lib/db/advisory-locks';
import type { Queryable } from '@/lib/db/database';
import { boolean, bytea, int8, text, timestamptz } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { type Head, OPERATOR_CHAIN } from './chain-rules';

const LOCK_SEALER = statement({
  name: 'lock the sealer',
  text: 'SELECT pg_try_advisory_xact_lock($lock) AS locked',
  parameters: { lock: int8 },
  columns: { locked: boolean },
});

/** Locks the sealing of audit entries until the transaction ends. Returns false if another worker has the lock. */
export async function lockSealer(tx: Queryable): Promise<boolean> {
  return (await LOCK_SEALER.first(tx, { lock: BigInt(ADVISORY_LOCKS.sealAudit) }))?.locked === true;
}

const START_SNAPSHOT = statement({
  name: 'read one moment',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY',
  parameters: {},
  columns: {},
});

/** Makes the transaction read-only, with one snapshot of the database for all of its queries. */
export async function startSnapshot(tx: Queryable): Promise<void> {
  await START_SNAPSHOT.rows(tx, {});
}

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
  parameters: {},
  columns: { chain: text },
});

/** Returns the chains with unsealed rows. The query needs one index lookup per chain, however many rows are unsealed. */
export async function listUnsealedChains(db: Queryable): Promise<string[]> {
  return (await LIST_UNSEALED_CHAINS.rows(db, {})).map(({ chain }) => chain);
}

const LIST_CHAINS = statement({
  name: 'list chains',
  text: `WITH RECURSIVE merchants AS (
           (SELECT merchant_id FROM audit_entry WHERE merchant_id IS NOT NULL ORDER BY merchant_id LIMIT 1)
           UNION ALL
           SELECT (SELECT e.merchant_id FROM audit_entry e WHERE e.merchant_id > m.merchant_id ORDER BY e.merchant_id LIMIT 1)
           FROM merchants m WHERE m.merchant_id IS NOT NULL
         )
         SELECT merchant_id::text AS chain FROM merchants WHERE merchant_id IS NOT NULL
         UNION SELECT '${OPERATOR_CHAIN}' WHERE EXISTS (SELECT 1 FROM audit_entry WHERE merchant_id IS NULL)
         UNION SELECT chain FROM audit_head
         ORDER BY chain`,
  parameters: {},
  columns: { chain: text },
});

/** Returns all chains that have a row or a head. */
export async function listChains(db: Queryable): Promise<string[]> {
  return (await LIST_CHAINS.rows(db, {})).map(({ chain }) => chain);
}

const HEAD = { chain: text, number: int8, hash: bytea, sealedAt: timestamptz, mac: bytea };

const FIND_HEAD = statement({
  name: 'find the head of a chain',
  text: 'SELECT chain, number, hash, sealed_at AS "sealedAt", mac FROM audit_head WHERE chain = $chain',
  parameters: { chain: text },
  columns: HEAD,
});

export async function findHead(db: Queryable, chain: string): Promise<Head | undefined> {
  return FIND_HEAD.first(db, { chain });
}

const UPSERT_HEAD = statement({
  name: 'upsert the head of a chain',
  text: `INSERT INTO audit_head (chain, number, hash, sealed_at, mac) VALUES ($chain, $number, $hash, $sealedAt, $mac)
         ON CONFLICT (chain) DO UPDATE SET number = $number, hash = $hash, sealed_at = $sealedAt, mac = $mac`,
  parameters: HEAD,
  columns: {},
});

export async function upsertHead(tx: Queryable, head: Head): Promise<void> {
  await UPSERT_HEAD.rows(tx, head);
}

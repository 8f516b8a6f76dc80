import type { Queryable } from '@/lib/db/database';
import { type ChainedRow, type Head, OPERATOR_CHAIN } from './chain-rules';

const CONTENT = `id::text, merchant_id::text AS "merchantId", environment::text, actor, action, subject, address, data::text, at`;
/** Any number that nothing else locks: one sealer at a time, over all workers. */
const SEALER_LOCK = 7_205_391_446n;

/** SQL and its parameter for the rows of one chain. The operator's have no merchant. */
function rowsOf(chain: string): { readonly where: string; readonly value: string | null } {
  const operator = chain === OPERATOR_CHAIN;
  return { where: operator ? 'merchant_id IS NULL AND $1::uuid IS NULL' : 'merchant_id = $1::uuid', value: operator ? null : chain };
}

/** @returns false while another sealer is at work. The lock ends with the transaction, however that ends. */
export async function lockSealer(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>({ text: 'SELECT pg_try_advisory_xact_lock($1) AS locked' }, [SEALER_LOCK]);
  return row?.locked === true;
}

/** From here on the transaction reads what was committed by now, and writes nothing. */
export async function readOneMoment(tx: Queryable): Promise<void> {
  await tx.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' });
}

/** @returns the chains that have rows not sealed yet: one look into the index for each, however many rows wait. */
export async function listUnsealedChains(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ chain: string }>({
    text: `WITH RECURSIVE waiting AS (
             (SELECT merchant_id FROM audit_entry WHERE chain_number IS NULL AND merchant_id IS NOT NULL ORDER BY merchant_id LIMIT 1)
             UNION ALL
             SELECT (SELECT e.merchant_id FROM audit_entry e WHERE e.chain_number IS NULL AND e.merchant_id > w.merchant_id ORDER BY e.merchant_id LIMIT 1)
             FROM waiting w WHERE w.merchant_id IS NOT NULL
           )
           SELECT merchant_id::text AS chain FROM waiting WHERE merchant_id IS NOT NULL
           UNION ALL
           SELECT '${OPERATOR_CHAIN}' WHERE EXISTS (SELECT 1 FROM audit_entry WHERE chain_number IS NULL AND merchant_id IS NULL)`,
  });
  return rows.map(({ chain }) => chain);
}

/** @returns every chain that has a row or a head. */
export async function listChains(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ chain: string }>({
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
  });
  return rows.map(({ chain }) => chain);
}

export async function findHead(db: Queryable, chain: string): Promise<Head | undefined> {
  const [head] = await db.query<Head>(
    { text: 'SELECT chain, number, hash, sealed_at AS "sealedAt", mac FROM audit_head WHERE chain = $1' },
    [chain],
  );
  return head;
}

export async function upsertHead(tx: Queryable, { chain, number, hash, sealedAt, mac }: Head): Promise<void> {
  await tx.query(
    {
      text: `INSERT INTO audit_head (chain, number, hash, sealed_at, mac) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (chain) DO UPDATE SET number = $2, hash = $3, sealed_at = $4, mac = $5`,
    },
    [chain, number, hash, sealedAt, mac],
  );
}

/** @returns committed rows without a number, in the order of their ids: about that of their making. */
export async function listUnsealed(tx: Queryable, chain: string, limit: number): Promise<ChainedRow[]> {
  const { where, value } = rowsOf(chain);
  return tx.query<ChainedRow>(
    { text: `SELECT ${CONTENT} FROM audit_entry WHERE ${where} AND chain_number IS NULL ORDER BY audit_entry.id LIMIT $2` },
    [value, limit],
  );
}

export interface Seal {
  readonly id: string;
  readonly number: bigint;
  readonly hash: Buffer;
}

/** @returns how many rows were sealed: fewer than asked for when some are gone or sealed already. */
export async function sealRows(tx: Queryable, seals: readonly Seal[]): Promise<number> {
  const rows = await tx.query(
    {
      text: `UPDATE audit_entry e SET chain_number = s.number, chain_hash = s.hash
             FROM unnest($1::uuid[], $2::bigint[], $3::bytea[]) AS s (id, number, hash)
             WHERE e.id = s.id AND e.chain_number IS NULL RETURNING 1 AS sealed`,
    },
    [seals.map(({ id }) => id), seals.map(({ number }) => number), seals.map(({ hash }) => hash)],
  );
  return rows.length;
}

/** A sealed row, with what it says of its place. */
export interface SealedRow extends ChainedRow {
  readonly number: bigint;
  readonly hash: Buffer | null;
}

/** @returns sealed rows in the chain's order, after a place: none of two with one number is left out. */
export async function listSealed(
  db: Queryable,
  chain: string,
  { after, limit }: { readonly after: { readonly number: bigint; readonly id: string } | null; readonly limit: number },
): Promise<SealedRow[]> {
  const { where, value } = rowsOf(chain);
  return db.query<SealedRow>(
    {
      text: `SELECT ${CONTENT}, chain_number AS number, chain_hash AS hash FROM audit_entry
             WHERE ${where} AND chain_number IS NOT NULL AND ($2::bigint IS NULL OR (chain_number >= $2 AND (chain_number, audit_entry.id) > ($2, $3::uuid)))
             ORDER BY chain_number, audit_entry.id LIMIT $4`,
    },
    [value, after?.number ?? null, after?.id ?? null, limit],
  );
}

/** @returns the last sealed number; null where nothing is sealed. */
export async function findLastNumber(db: Queryable, chain: string): Promise<bigint | null> {
  const { where, value } = rowsOf(chain);
  const [row] = await db.query<{ number: bigint | null }>({ text: `SELECT max(chain_number) AS number FROM audit_entry WHERE ${where}` }, [
    value,
  ]);
  return row?.number ?? null;
}

/** @returns the row with a number, for going on from there. */
export async function findSealed(db: Queryable, chain: string, number: bigint): Promise<{ id: string; hash: Buffer | null } | undefined> {
  const { where, value } = rowsOf(chain);
  const [row] = await db.query<{ id: string; hash: Buffer | null }>(
    {
      text: `SELECT id::text, chain_hash AS hash FROM audit_entry WHERE ${where} AND chain_number = $2 ORDER BY audit_entry.id DESC LIMIT 1`,
    },
    [value, number],
  );
  return row;
}

/** What is not sealed yet, and since when. */
export interface Tail {
  readonly count: number;
  readonly oldest: Date | null;
}

export async function countUnsealed(db: Queryable, chain: string): Promise<Tail> {
  const { where, value } = rowsOf(chain);
  const [tail] = await db.query<Tail>(
    { text: `SELECT count(*)::int AS count, min(at) AS oldest FROM audit_entry WHERE ${where} AND chain_number IS NULL` },
    [value],
  );
  return tail ?? { count: 0, oldest: null };
}

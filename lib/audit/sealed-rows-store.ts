import { columnsOf } from '@/lib/core/columns-of';
import type { Queryable } from '@/lib/db/database';
import { array, bytea, bytes, int4, int8, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/db/statement';
import { type ChainedRow, OPERATOR_CHAIN } from './chain-rules';

const CONTENT = `id::text, merchant_id::text AS "merchantId", environment::text, actor, action, subject, address, data::text, at`;
const CONTENT_TYPES = {
  id: text,
  merchantId: nullable(text),
  environment: nullable(text),
  actor: text,
  action: text,
  subject: text,
  address: nullable(text),
  data: text,
  at: timestamptz,
};

/** Returns the statements about the rows of one chain. `rows` is the SQL condition that selects the rows of the chain. */
const statementsAbout = (rows: string) => {
  const merchantId = nullable(uuid);
  return {
    listUnsealed: variant({
      name: 'list unsealed audit entries',
      text: `SELECT ${CONTENT} FROM audit_entry WHERE ${rows} AND chain_number IS NULL ORDER BY audit_entry.id LIMIT $limit::int`,
      parameters: { merchantId, limit: int4 },
      columns: CONTENT_TYPES,
    }),
    listSealed: variant({
      name: 'list sealed audit entries',
      text: `SELECT ${CONTENT}, chain_number AS number, chain_hash AS hash FROM audit_entry
             WHERE ${rows} AND chain_number IS NOT NULL
               AND ($number::bigint IS NULL OR (chain_number >= $number AND (chain_number, audit_entry.id) > ($number, $id::uuid)))
             ORDER BY chain_number, audit_entry.id LIMIT $limit::int`,
      parameters: { merchantId, number: nullable(int8), id: nullable(uuid), limit: int4 },
      columns: { ...CONTENT_TYPES, number: neverNull(int8), hash: nullable(bytea) },
    }),
    findLastNumber: variant({
      name: 'find the last number of a chain',
      text: `SELECT max(chain_number) AS number FROM audit_entry WHERE ${rows}`,
      parameters: { merchantId },
      columns: { number: nullable(int8) },
    }),
    findSealed: variant({
      name: 'find a sealed audit entry',
      text: `SELECT id::text, chain_hash AS hash FROM audit_entry WHERE ${rows} AND chain_number = $number ORDER BY audit_entry.id DESC LIMIT 1`,
      parameters: { merchantId, number: int8 },
      columns: { id: text, hash: nullable(bytea) },
    }),
    countUnsealed: variant({
      name: 'count unsealed audit entries',
      text: `SELECT count(*)::int AS count, min(at) AS oldest FROM audit_entry WHERE ${rows} AND chain_number IS NULL`,
      parameters: { merchantId },
      columns: { count: int4, oldest: nullable(timestamptz) },
    }),
  };
};

const OF_MERCHANT = statementsAbout('merchant_id = $merchantId::uuid');
/** Entries of the operator's chain have no merchant. */
const OF_OPERATOR = statementsAbout('merchant_id IS NULL AND $merchantId::uuid IS NULL');
registerVariants([...Object.values(OF_MERCHANT), ...Object.values(OF_OPERATOR)]);

function rowsOf(chain: string): { readonly about: ReturnType<typeof statementsAbout>; readonly merchantId: string | null } {
  return chain === OPERATOR_CHAIN ? { about: OF_OPERATOR, merchantId: null } : { about: OF_MERCHANT, merchantId: chain };
}

/** Returns committed rows without a number, ordered by id, which is approximately the order in which they were created. */
export async function listUnsealed(tx: Queryable, chain: string, limit: number): Promise<ChainedRow[]> {
  const { about, merchantId } = rowsOf(chain);
  return about.listUnsealed.rows(tx, { merchantId, limit });
}

export interface Seal {
  readonly id: string;
  readonly number: bigint;
  readonly hash: Buffer;
}

const SEAL_ROWS = statement({
  name: 'seal audit entries',
  text: `UPDATE audit_entry e SET chain_number = s.number, chain_hash = s.hash
         FROM unnest($id::uuid[], $number::bigint[], $hash::bytea[]) AS s (id, number, hash)
         WHERE e.id = s.id AND e.chain_number IS NULL RETURNING 1 AS sealed`,
  parameters: { id: array(uuid), number: array(int8), hash: array(bytes) },
  columns: { sealed: int4 },
});

/** Seals rows and returns how many. The number is lower than that of `seals` if some rows were deleted or already sealed. */
export async function sealRows(tx: Queryable, seals: readonly Seal[]): Promise<number> {
  return (await SEAL_ROWS.rows(tx, columnsOf(seals, SEAL_ROWS.parameters))).length;
}

export type SealedRow = Awaited<ReturnType<typeof OF_MERCHANT.listSealed.rows>>[number];

/** Returns sealed rows in the order of the chain, after a position. If two rows have the same number, both are returned. */
export async function listSealed(
  db: Queryable,
  chain: string,
  { after, limit }: { readonly after: { readonly number: bigint; readonly id: string } | null; readonly limit: number },
): Promise<SealedRow[]> {
  const { about, merchantId } = rowsOf(chain);
  return about.listSealed.rows(db, { merchantId, number: after?.number ?? null, id: after?.id ?? null, limit });
}

/** Returns the highest sealed number, or null if no row is sealed. */
export async function findLastNumber(db: Queryable, chain: string): Promise<bigint | null> {
  const { about, merchantId } = rowsOf(chain);
  return (await about.findLastNumber.first(db, { merchantId }))?.number ?? null;
}

/** Returns the row with a number, to start a verification after it. */
export async function findSealed(
  db: Queryable,
  chain: string,
  number: bigint,
): Promise<{ readonly id: string; readonly hash: Buffer | null } | undefined> {
  const { about, merchantId } = rowsOf(chain);
  return about.findSealed.first(db, { merchantId, number });
}

export type Tail = Awaited<ReturnType<typeof OF_MERCHANT.countUnsealed.rows>>[number];

export async function countUnsealed(db: Queryable, chain: string): Promise<Tail> {
  const { about, merchantId } = rowsOf(chain);
  return (await about.countUnsealed.first(db, { merchantId })) ?? { count: 0, oldest: null };
}

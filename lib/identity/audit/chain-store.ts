import type { Connection, Queryable } from '@/lib/platform/db/database';
import { auditEntry, auditHead } from '@/lib/platform/db/generated/tables';
import { int4, int8, neverNull, nullable, pick, text, uuid } from '@/lib/platform/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/platform/db/statement';
import { type ChainedRow, type Head, OPERATOR_CHAIN } from './chain-rules';

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
  columns: { chain: auditHead.chain },
});

/** Returns all chains that have a row or a head. */
export async function listChains(db: Queryable): Promise<string[]> {
  return (await LIST_CHAINS.rows(db, {})).map(({ chain }) => chain);
}

export const HEAD = pick(auditHead, 'chain number hash sealedAt mac');

const FIND_HEAD = statement({
  name: 'find the head of a chain',
  text: 'SELECT chain, number, hash, sealed_at AS "sealedAt", mac FROM audit_head WHERE chain = $chain',
  parameters: { chain: auditHead.chain },
  columns: HEAD,
});

export async function findHead(db: Queryable, chain: string): Promise<Head | undefined> {
  return FIND_HEAD.first(db, { chain });
}

const CONTENT = `id::text, merchant_id::text AS "merchantId", environment::text, actor, action, subject, address, data::text, at`;
const CONTENT_TYPES = {
  id: text,
  merchantId: nullable(text),
  environment: nullable(text),
  ...pick(auditEntry, 'actor action subject address at'),
  data: text,
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
      parameters: { merchantId, number: nullable(int8), id: nullable(auditEntry.id), limit: int4 },
      columns: { ...CONTENT_TYPES, number: neverNull(auditEntry.chainNumber), hash: auditEntry.chainHash },
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
export async function findLastNumber({ prisma }: Connection, chain: string): Promise<bigint | null> {
  const { merchantId } = rowsOf(chain);
  const where = { merchantId, chainNumber: { not: null } };
  return (
    (await prisma.auditEntry.findFirst({ where, select: { chainNumber: true }, orderBy: { chainNumber: 'desc' } }))?.chainNumber ?? null
  );
}

/** Returns the row with a number, to start a verification after it. */
export async function findSealed({ prisma }: Connection, chain: string, number: bigint) {
  const { merchantId } = rowsOf(chain);
  const where = { merchantId, chainNumber: number };
  return prisma.auditEntry.findFirst({ where, select: { id: true, chainHash: true }, orderBy: { id: 'desc' } });
}

export type Tail = Awaited<ReturnType<typeof countUnsealed>>;

export async function countUnsealed(
  { prisma }: Connection,
  chain: string,
): Promise<{ readonly count: number; readonly oldest: Date | null }> {
  const where = { merchantId: rowsOf(chain).merchantId, chainNumber: null };
  const { _count, _min } = await prisma.auditEntry.aggregate({ where, _count: true, _min: { at: true } });
  return { count: _count, oldest: _min.at };
}

import type { Connection, Queryable } from '@/lib/db/database';
import { boolean, enumType, neverNull, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/**
 * What an account's own history must contain before the account counts as proven: a payment that a callback reported, a payment that a
 * status query found without any callback, a refusal, and an attempt that was settled after its outcome was unknown.
 */
const PROOFS = ['callback', 'query', 'refusal', 'unknown'] as const;
export type Proof = (typeof PROOFS)[number];

/** Says in words what each missing proof is. */
export const PROOF_TEXTS: Readonly<Record<Proof, string>> = {
  callback: 'a payment reported by callback',
  query: 'a payment found by status query alone',
  refusal: 'a refusal',
  unknown: 'a settled unknown outcome',
};

const ADD_PROOF = statement({
  name: 'add a proof of an account',
  text: `WITH added AS (
           INSERT INTO provider_proof (account_id, kind, attempt_id, at)
           SELECT $accountId::uuid, $kind::proof_kind, $attemptId::uuid, $now::timestamptz
           WHERE $kind <> 'query' OR NOT EXISTS (SELECT 1 FROM provider_message WHERE attempt_id = $attemptId AND kind = 'callback')
           ON CONFLICT (account_id, kind) DO NOTHING RETURNING 1
         )
         SELECT EXISTS (SELECT 1 FROM added) OR EXISTS (SELECT 1 FROM provider_proof WHERE account_id = $accountId AND kind = $kind) AS proven`,
  parameters: { accountId: uuid, kind: enumType('proof_kind', PROOFS), attemptId: uuid, now: timestamptz },
  columns: { proven: neverNull(boolean) },
});

/**
 * Records that an attempt proves something about an account, unless an earlier attempt did. The proof `query` is a payment that only a
 * status query found, so it is not recorded if a callback about the attempt is stored.
 * @returns whether the account has this proof now.
 */
export async function addProof(db: Queryable, proof: Parameters<typeof ADD_PROOF.rows>[1]): Promise<boolean> {
  return (await ADD_PROOF.first(db, proof))?.proven ?? false;
}

/** Returns what is missing in the history of each account. An account without a missing proof is proven. */
export async function listMissingProofs({ prisma }: Connection, accountIds: readonly string[]): Promise<ReadonlyMap<string, Proof[]>> {
  const found = await prisma.providerProof.findMany({
    where: { accountId: { in: [...accountIds] } },
    select: { accountId: true, kind: true },
  });
  const has = (id: string, kind: Proof) => found.some((proof) => proof.accountId === id && proof.kind === kind);
  return new Map(accountIds.map((id) => [id, PROOFS.filter((kind) => !has(id, kind))]));
}

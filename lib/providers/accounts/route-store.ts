import type { Environment } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, boolean, environment, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { BREAKER_FAILURES } from './health-rules';

interface Routed {
  readonly environment: Environment;
  readonly merchantId: string;
  readonly network: string;
  readonly refusedAccountIds: readonly string[];
}

/** SQL that is true for the accounts `p` that may send the attempt `a`: those of its merchant and of the operator. */
const mayServe = (a: string) =>
  `p.environment = ${a}.environment AND (p.merchant_id = ${a}.merchant_id OR p.merchant_id IS NULL) AND p.disabled_at IS NULL
      AND ${a}.network = ANY (p.networks)`;

/** SQL that is true for a suspended account `p`: it does not answer, or it refuses its owner. Uses the parameter $now. */
export const SUSPENDED = `(coalesce(p.avoid_until > $now, false)
      OR EXISTS (SELECT 1 FROM provider_health h WHERE h.account_id = p.id AND h.kind = 'send' AND h.failures >= ${BREAKER_FAILURES}))`;

/**
 * Returns SQL for the account that sends an attempt. Suspended accounts come last, whoever owns them. Otherwise, the merchant's own
 * accounts come before the operator's. The accounts of one owner are in the order that the owner has set for the network.
 */
export function routeTo(attempt: string): string {
  return `SELECT p.id FROM provider_account p LEFT JOIN provider_route r ON r.account_id = p.id AND r.network = ${attempt}.network
    WHERE ${mayServe(attempt)} AND p.id <> ALL (${attempt}.refused_account_ids)
    ORDER BY ${SUSPENDED}, p.merchant_id NULLS LAST, r.position NULLS LAST, p.created_at LIMIT 1`;
}

const HAS_OTHER = statement({
  name: 'has-other-account',
  prepared: true,
  text: `SELECT EXISTS (SELECT 1 FROM provider_account p, (SELECT $environment::environment, $merchantId::uuid, $network::text) a(environment, merchant_id, network)
           WHERE ${mayServe('a')} AND p.id <> ALL ($excluded::uuid[])) AS found`,
  parameters: { environment, merchantId: uuid, network: text, excluded: array(uuid) },
  columns: { found: boolean },
});

/** Tells whether another account serves the network of an attempt. Accounts that did not accept the attempt do not count. */
export async function hasOtherAccount(db: Queryable, attempt: Routed, accountId: string): Promise<boolean> {
  const excluded = [...attempt.refusedAccountIds, accountId];
  return (await HAS_OTHER.first(db, { ...attempt, excluded }))?.found ?? false;
}

/** Stores the order of an owner's accounts for a network. Accounts that are not listed come last. */
export async function saveRoute(
  { prisma }: Connection,
  {
    environment: env,
    merchantId,
    network,
  }: { readonly environment: Environment; readonly merchantId: string | null; readonly network: string },
  accountIds: readonly string[],
): Promise<void> {
  await prisma.providerRoute.deleteMany({ where: { network, account: { environment: env, merchantId } } });
  await prisma.providerRoute.createMany({ data: accountIds.map((accountId, position) => ({ accountId, network, position })) });
}

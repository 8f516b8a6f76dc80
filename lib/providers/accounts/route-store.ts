import type { Environment, Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { providerAccount, providerRoute } from '@/lib/platform/db/generated/tables';
import { array, boolean, text, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { ACCOUNT_COLUMNS, SELECTED_ACCOUNT, type StoredAccount } from './account-store';
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
const SUSPENDED = `(coalesce(p.avoid_until > $now, false)
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
  parameters: { environment: providerAccount.environment, merchantId: uuid, network: text, excluded: array(uuid) },
  columns: { found: boolean },
});

/** Tells whether another account serves the network of an attempt. Accounts that did not accept the attempt do not count. */
export async function hasOtherAccount(db: Queryable, attempt: Routed, accountId: string): Promise<boolean> {
  const excluded = [...attempt.refusedAccountIds, accountId];
  return (await HAS_OTHER.first(db, { ...attempt, excluded }))?.found ?? false;
}

/** The active accounts for a merchant's attempts: its own and the operator's. */
const SERVING = 'environment = $environment AND (merchant_id = $merchantId OR merchant_id IS NULL) AND disabled_at IS NULL';

const FIND_ACCOUNT_FOR = statement({
  name: 'find the account that serves a network',
  text: `SELECT ${SELECTED_ACCOUNT} FROM provider_account LEFT JOIN provider_route r ON r.account_id = id AND r.network = $network
         WHERE ${SERVING} AND $network = ANY (networks) ORDER BY merchant_id NULLS LAST, r.position NULLS LAST, created_at LIMIT 1`,
  parameters: { environment: providerAccount.environment, merchantId: uuid, network: providerRoute.network },
  columns: ACCOUNT_COLUMNS,
});

/** Finds the account that serves a network. A merchant's own account has priority over the operator's. */
export async function findProviderAccount(
  db: Queryable,
  values: { readonly environment: Environment; readonly merchantId: string; readonly network: string },
): Promise<StoredAccount | undefined> {
  return FIND_ACCOUNT_FOR.first(db, values);
}

/**
 * Lists the networks for which the merchant or the operator has an active account. `down`: all these accounts of the network are suspended,
 * or recorded as down.
 */
export async function listNetworkHealth(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  now: Date,
): Promise<{ network: string; down: boolean }[]> {
  const failing = { kind: 'send', failures: { gte: BREAKER_FAILURES } } as const;
  const accounts = await prisma.providerAccount.findMany({
    where: { environment, OR: [{ merchantId }, { merchantId: null }], disabledAt: null },
    select: { networks: true, downSince: true, avoidUntil: true, health: { where: failing, select: { kind: true } } },
  });
  const networks = new Map<string, boolean>();
  for (const { networks: served, downSince, avoidUntil, health } of accounts) {
    const down = downSince !== null || (avoidUntil !== null && avoidUntil > now) || health.length > 0;
    for (const network of served) networks.set(network, (networks.get(network) ?? true) && down);
  }
  return [...networks].map(([network, down]) => ({ network, down }));
}

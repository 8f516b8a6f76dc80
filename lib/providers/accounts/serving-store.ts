import type { Environment, Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { boolean, environment, neverNull, neverNullInJoin, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { ACCOUNT_COLUMNS, SELECTED_ACCOUNT, type StoredAccount } from './account-store';
import { SUSPENDED } from './route-store';

/** The active accounts for a merchant's attempts: its own and the operator's. */
const SERVING = 'environment = $environment AND (merchant_id = $merchantId OR merchant_id IS NULL) AND disabled_at IS NULL';

const FIND_ACCOUNT_FOR = statement({
  name: 'find the account that serves a network',
  text: `SELECT ${SELECTED_ACCOUNT} FROM provider_account LEFT JOIN provider_route r ON r.account_id = id AND r.network = $network
         WHERE ${SERVING} AND $network = ANY (networks) ORDER BY merchant_id NULLS LAST, r.position NULLS LAST, created_at LIMIT 1`,
  parameters: { environment, merchantId: uuid, network: text },
  columns: neverNullInJoin(ACCOUNT_COLUMNS),
});

/** Finds the account that serves a network. A merchant's own account has priority over the operator's. */
export async function findProviderAccount(
  db: Queryable,
  values: { readonly environment: Environment; readonly merchantId: string; readonly network: string },
): Promise<StoredAccount | undefined> {
  return FIND_ACCOUNT_FOR.first(db, values);
}

const FIND_PROMPT_NAME = statement({
  name: 'find the prompt name of an account',
  text: 'SELECT prompt_name AS "promptName" FROM provider_account WHERE id = $id',
  parameters: { id: uuid },
  columns: { promptName: nullable(text) },
});

/** Returns the name that the prompts of an account show as the receiver of the money; null if it is not set. */
export async function findPromptName(db: Queryable, id: string): Promise<string | null> {
  return (await FIND_PROMPT_NAME.first(db, { id }))?.promptName ?? null;
}

const LIST_NETWORK_HEALTH = statement({
  name: 'list-network-health',
  prepared: true,
  text: `SELECT network, bool_and(p.down_since IS NOT NULL OR ${SUSPENDED}) AS down
         FROM provider_account p CROSS JOIN LATERAL unnest(networks) AS network WHERE ${SERVING} GROUP BY network ORDER BY network`,
  parameters: { environment, merchantId: uuid, now: timestamptz },
  columns: { network: text, down: neverNull(boolean) },
});

/**
 * Lists the networks for which the merchant or the operator has an active account. `down`: all these accounts of the network are suspended,
 * or recorded as down.
 */
export async function listNetworkHealth(
  db: Queryable,
  { merchantId, environment }: Scope,
  now: Date,
): Promise<{ network: string; down: boolean }[]> {
  return LIST_NETWORK_HEALTH.rows(db, { merchantId, environment, now });
}

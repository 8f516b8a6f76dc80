import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, bytea, environment, nullable, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { ListedAccount, StoredAccount } from './account-store';

type OthersAccount = StoredAccount & Pick<ListedAccount, 'label' | 'merchant'>;

const LIST_OTHERS = statement({
  name: "list other owners' accounts",
  text: `SELECT id, environment, provider, coalesce(networks, '{}') AS networks, encrypted_credentials AS "encryptedCredentials", label,
           (SELECT slug FROM merchant m WHERE m.id = merchant_id) AS merchant
         FROM provider_account a
         WHERE provider = $provider AND environment = $environment AND merchant_id IS DISTINCT FROM $merchantId::uuid
           AND (disabled_at IS NULL OR EXISTS (SELECT 1 FROM payment p WHERE p.till_id = a.till_id)) ORDER BY created_at, id`,
  parameters: { provider: text, environment, merchantId: nullable(uuid) },
  columns: {
    id: uuid,
    environment,
    provider: text,
    networks: array(text),
    encryptedCredentials: nullable(bytea),
    label: text,
    merchant: nullable(text),
  },
});

/** Lists the accounts of other owners at a provider that are active, or whose till has payments in the ledger. */
export async function listAccountsOfOthers(
  db: Queryable,
  owner: { readonly provider: string; readonly environment: Environment; readonly merchantId: string | null },
): Promise<OthersAccount[]> {
  return LIST_OTHERS.rows(db, owner);
}

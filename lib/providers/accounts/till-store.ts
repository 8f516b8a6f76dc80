import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { ListedAccount, StoredAccount } from './account-store';

type OthersAccount = StoredAccount & Pick<ListedAccount, 'label' | 'merchant'>;

/** @returns the accounts of other owners at a provider that are in use, or whose till has money in the ledger. */
export async function listAccountsOfOthers(
  db: Queryable,
  { provider, environment, merchantId }: { provider: string; environment: Environment; merchantId: string | null },
): Promise<OthersAccount[]> {
  return db.query<OthersAccount>(
    {
      text: `SELECT id, environment, provider, networks, encrypted_credentials AS "encryptedCredentials", label,
               (SELECT slug FROM merchant m WHERE m.id = merchant_id) AS merchant
             FROM provider_account a
             WHERE provider = $1 AND environment = $2 AND merchant_id IS DISTINCT FROM $3::uuid
               AND (disabled_at IS NULL OR EXISTS (SELECT 1 FROM payment p WHERE p.till_id = a.till_id)) ORDER BY created_at, id`,
    },
    [provider, environment, merchantId],
  );
}

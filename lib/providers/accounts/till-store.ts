import type { Queryable } from '@/lib/db/database';
import { environment, nullable, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { ACCOUNT_COLUMNS, SELECTED_ACCOUNT } from './account-store';

const LIST_OTHERS = statement({
  name: "list other owners' accounts",
  text: `SELECT ${SELECTED_ACCOUNT}, label, (SELECT slug FROM merchant m WHERE m.id = merchant_id) AS merchant
         FROM provider_account a
         WHERE provider = $provider AND environment = $environment AND merchant_id IS DISTINCT FROM $merchantId::uuid
           AND (disabled_at IS NULL OR EXISTS (SELECT 1 FROM payment p WHERE p.till_id = a.till_id)) ORDER BY created_at, id`,
  parameters: { provider: text, environment, merchantId: nullable(uuid) },
  columns: { ...ACCOUNT_COLUMNS, label: text, merchant: nullable(text) },
});

/** Lists the accounts of other owners at a provider that are active, or whose till has payments in the ledger. */
export async function listAccountsOfOthers(db: Queryable, owner: Parameters<typeof LIST_OTHERS.rows>[1]) {
  return LIST_OTHERS.rows(db, owner);
}

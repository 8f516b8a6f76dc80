import type { Bill } from '@/lib/bills/rules';
import { BILL_COLUMNS, BILL_TYPES } from '@/lib/bills/store';
import type { Queryable } from '@/lib/db/database';
import { environment, int4, nullable, text, uuid } from '@/lib/db/sql-types';
import { registerVariants, variant } from '@/lib/db/statement';
import type { ListScope } from './listing-sql';

const SEARCH_KINDS = ['id', 'reference', 'payment', 'receipt', 'mobile', 'prefix'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

const IDS: Readonly<Record<SearchKind, string>> = {
  id: 'SELECT $text::uuid AS id',
  reference: 'SELECT id FROM bill WHERE merchant_id = $merchantId AND environment = $environment AND reference = $text',
  payment:
    'SELECT bill_id AS id FROM push_attempt WHERE our_reference = $text AND merchant_id = $merchantId AND environment = $environment',
  // The index on receipt numbers starts with the till, so every till that may receive the merchant's money is looked up.
  receipt: `SELECT a.bill_id AS id FROM (SELECT DISTINCT till_id FROM provider_account WHERE environment = $environment AND (merchant_id IS NULL OR merchant_id = $merchantId)) till
            JOIN payment p ON p.till_id = till.till_id AND p.provider_transaction_id = $text
            JOIN payment_allocation a ON a.payment_id = p.id WHERE a.merchant_id = $merchantId AND a.environment = $environment`,
  mobile: 'SELECT bill_id AS id FROM push_attempt WHERE environment = $environment AND mobile = $text AND merchant_id = $merchantId',
  prefix: 'SELECT id FROM bill WHERE merchant_id = $merchantId AND environment = $environment AND reference LIKE $text',
};

/** At most this many matches are read before the newest are selected. With more matches, the search must be more specific. */
const MATCHES_MAX = 5_000;

const searchOf = (kind: SearchKind) =>
  variant({
    name: `search bills by ${kind}`,
    text: `SELECT ${BILL_COLUMNS} FROM (SELECT DISTINCT id FROM (SELECT id FROM (${IDS[kind]}) every LIMIT ${MATCHES_MAX}) looked_at) found
           CROSS JOIN LATERAL (SELECT * FROM bill b WHERE b.id = found.id AND b.merchant_id = $merchantId AND b.environment = $environment
             AND ($billsOf::uuid IS NULL OR b.created_by_id = $billsOf) LIMIT 1) b
           ORDER BY b.id DESC LIMIT $limit::int`,
    parameters: { merchantId: uuid, environment, billsOf: nullable(uuid), limit: int4, text: kind === 'id' ? uuid : text },
    columns: BILL_TYPES,
  });
registerVariants(SEARCH_KINDS.map(searchOf));

export async function searchBillRows(
  tx: Queryable,
  { merchantId, environment, billsOf }: ListScope,
  { kind, text, limit }: { readonly kind: SearchKind; readonly text: string; readonly limit: number },
): Promise<Bill[]> {
  return searchOf(kind).rows(tx, { merchantId, environment, billsOf, limit, text });
}

import type { Bill } from '@/lib/bills/rules';
import { BILL_COLUMNS } from '@/lib/bills/store';
import type { Queryable } from '@/lib/db/database';
import type { ListScope } from './listing-sql';

/** What a bill can be found by. */
export type SearchKind = 'id' | 'reference' | 'payment' | 'receipt' | 'mobile' | 'prefix';

/** SQL for the ids of each kind; $1 is the merchant, $2 the environment and $5 the text. */
const IDS: Readonly<Record<SearchKind, string>> = {
  id: 'SELECT $5::uuid AS id',
  reference: 'SELECT id FROM bill WHERE merchant_id = $1 AND environment = $2 AND reference = $5',
  payment: 'SELECT bill_id AS id FROM push_attempt WHERE our_reference = $5 AND merchant_id = $1 AND environment = $2',
  // A receipt is looked for at each till that a merchant's money may come to: by that index.
  receipt: `SELECT a.bill_id AS id FROM (SELECT DISTINCT till_id FROM provider_account WHERE environment = $2 AND (merchant_id IS NULL OR merchant_id = $1)) till
            JOIN payment p ON p.till_id = till.till_id AND p.provider_transaction_id = $5
            JOIN payment_allocation a ON a.payment_id = p.id WHERE a.merchant_id = $1 AND a.environment = $2`,
  mobile: 'SELECT bill_id AS id FROM push_attempt WHERE environment = $2 AND mobile = $5 AND merchant_id = $1',
  prefix: 'SELECT id FROM bill WHERE merchant_id = $1 AND environment = $2 AND reference LIKE $5',
};

/** No more are looked at before the newest of them are taken: whoever finds more has to ask more exactly. */
const LOOKED_AT = 5_000;

/** @returns the newest bills of the scope that a text leads to. */
export async function searchBillRows(
  tx: Queryable,
  { merchantId, environment, billsOf }: ListScope,
  { kind, text, limit }: { readonly kind: SearchKind; readonly text: string; readonly limit: number },
): Promise<Bill[]> {
  return tx.query<Bill>(
    {
      text: `SELECT ${BILL_COLUMNS} FROM (SELECT DISTINCT id FROM (SELECT id FROM (${IDS[kind]}) every LIMIT ${LOOKED_AT}) looked_at) found
             CROSS JOIN LATERAL (SELECT * FROM bill b WHERE b.id = found.id AND b.merchant_id = $1 AND b.environment = $2
               AND ($3::uuid IS NULL OR b.created_by_id = $3) LIMIT 1) b
             ORDER BY b.id DESC LIMIT $4`,
    },
    [merchantId, environment, billsOf, limit, text],
  );
}

import type { Scope } from '@/lib/config/runtime';
import type { Queryable } from '@/lib/db/database';
import type { BillDetails } from './last-attempt';
import { BILL_COLUMNS } from './store';

/** A bill that is as it was created has one event, and was asked for only if it was created with a number: nothing is looked for. */
export const SELECT_BILL_DETAILS = {
  name: 'select-bill-details',
  text: `
SELECT ${BILL_COLUMNS}, b.reversed_amount AS "reversedAmount", a.state AS "attemptState", a.failure_reason AS "attemptReason", a.at AS "attemptAt"
FROM bill b
LEFT JOIN LATERAL (
  SELECT state, failure_reason, greatest(created_at, sent_at, unknown_since, released_at, settled_at) AS at FROM push_attempt
  WHERE (b.event_count > 1 OR b.mobile IS NOT NULL) AND bill_id = b.id ORDER BY id DESC LIMIT 1) a ON true
WHERE b.id = $1 AND b.merchant_id = $2 AND b.environment = $3`,
};

export async function findBillDetails(db: Queryable, scope: Scope, id: string): Promise<BillDetails | undefined> {
  const [bill] = await db.query<BillDetails>(SELECT_BILL_DETAILS, [id, scope.merchantId, scope.environment]);
  return bill;
}

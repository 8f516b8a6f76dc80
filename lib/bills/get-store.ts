import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { BillDetails } from './last-attempt';

/**
 * OFFSET 0 keeps PostgreSQL to the indexes on a bill's id. Other indexes look as cheap while the tables are small, and a prepared statement
 * keeps its plan while they grow: it would read all bills of the merchant, or all payment requests, for each answer.
 */
export const SELECT_BILL_DETAILS = {
  name: 'select-bill-details',
  text: `
SELECT b.id, b.amount, b.reference, b.mobile, b.paid_amount AS "paidAmount", b.status, b.created_at AS "createdAt", b.paid_at AS "paidAt",
  b.closed_at AS "closedAt", b.reversed_amount AS "reversedAmount", a.state AS "attemptState", a.failure_reason AS "attemptReason", a.at AS "attemptAt"
FROM (SELECT * FROM bill WHERE id = $1 OFFSET 0) b
LEFT JOIN LATERAL (
  SELECT state, failure_reason, greatest(created_at, sent_at, unknown_since, released_at, settled_at) AS at
  FROM (SELECT * FROM push_attempt WHERE bill_id = b.id OFFSET 0) own ORDER BY id DESC LIMIT 1) a ON true
WHERE b.merchant_id = $2 AND b.environment = $3`,
};

export async function findBillDetails(db: Queryable, scope: Scope, id: string): Promise<BillDetails | undefined> {
  const [bill] = await db.query<BillDetails>(SELECT_BILL_DETAILS, [id, scope.merchantId, scope.environment]);
  return bill;
}

import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { environment, int8, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { attemptState } from '@/lib/payments/sql-types';
import type { BillDetails } from './last-attempt';
import { billStatus } from './sql-types';

/**
 * OFFSET 0 makes PostgreSQL use the index on the bill's id. While the tables are small, other indexes look equally cheap, and a prepared
 * statement keeps its plan while the tables grow: it would then read all bills or attempts of the merchant for each answer.
 */
export const SELECT_BILL_DETAILS = statement({
  name: 'select-bill-details',
  prepared: true,
  text: `
SELECT b.id, b.amount, b.reference, b.mobile, b.paid_amount AS "paidAmount", b.status, b.created_at AS "createdAt", b.paid_at AS "paidAt",
  b.closed_at AS "closedAt", b.reversed_amount AS "reversedAmount", a.state AS "attemptState", a.failure_reason AS "attemptReason", a.at AS "attemptAt"
FROM (SELECT * FROM bill WHERE id = $id OFFSET 0) b
LEFT JOIN LATERAL (
  SELECT state, failure_reason, greatest(created_at, sent_at, unknown_since, released_at, settled_at) AS at
  FROM (SELECT * FROM push_attempt WHERE bill_id = b.id OFFSET 0) own ORDER BY id DESC LIMIT 1) a ON true
WHERE b.merchant_id = $merchantId AND b.environment = $environment`,
  parameters: { id: uuid, merchantId: uuid, environment },
  columns: {
    id: neverNull(uuid),
    amount: neverNull(int8),
    reference: neverNull(text),
    mobile: nullable(text),
    paidAmount: neverNull(int8),
    status: neverNull(billStatus),
    createdAt: neverNull(timestamptz),
    paidAt: nullable(timestamptz),
    closedAt: nullable(timestamptz),
    reversedAmount: neverNull(int8),
    attemptState: nullable(attemptState),
    attemptReason: nullable(text),
    attemptAt: nullable(timestamptz),
  },
});

export async function findBillDetails(db: Queryable, { merchantId, environment }: Scope, id: string): Promise<BillDetails | undefined> {
  return SELECT_BILL_DETAILS.first(db, { id, merchantId, environment });
}

import type { BillInfo } from '@/lib/bills/bill-info';
import type { Bill } from '@/lib/bills/rules';
import type { Queryable } from '@/lib/db/database';
import { array, environment, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { attemptState } from '@/lib/payments/sql-types';
import type { ListScope } from './listing-sql';

const FIND = statement({
  name: 'newest attempts of listed bills',
  text: `SELECT wanted.id AS "billId", a.state, a.failure_reason AS reason, a.mobile, coalesce(a.settled_at, a.unknown_since, a.created_at) AS at
         FROM unnest($ids::uuid[]) AS wanted (id)
         CROSS JOIN LATERAL (SELECT * FROM (SELECT * FROM push_attempt WHERE bill_id = wanted.id OFFSET 0) every
           WHERE merchant_id = $merchantId AND environment = $environment ORDER BY id DESC LIMIT 1) a`,
  parameters: { ids: array(uuid), merchantId: uuid, environment },
  columns: { billId: uuid, state: attemptState, reason: nullable(text), mobile: text, at: timestamptz },
});

/** The newest attempt of a bill. `at` is when it got its state. */
export type NewestAttempt = Omit<Awaited<ReturnType<typeof FIND.rows>>[number], 'billId'>;

/** A bill of a list with its newest attempt. `attempt` is null if the bill has none. */
export interface ListedBill extends Bill, BillInfo {
  readonly attempt: NewestAttempt | null;
}

export async function withNewestAttempts(
  tx: Queryable,
  { merchantId, environment }: ListScope,
  bills: readonly (Bill & BillInfo)[],
): Promise<ListedBill[]> {
  const rows = await FIND.rows(tx, { ids: bills.map(({ id }) => id), merchantId, environment });
  const found = new Map(rows.map(({ billId, ...attempt }) => [billId, attempt]));
  return bills.map((bill) => ({ ...bill, attempt: found.get(bill.id) ?? null }));
}

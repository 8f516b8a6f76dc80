import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, environment, int4, int8, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnest } from '@/lib/db/unnest';
import { attemptState } from '@/lib/payments/sql-types';
import type { BillDetails } from './last-attempt';
import { billStatus } from './sql-types';
import { billById, EXTRA_COLUMNS, EXTRA_TYPES, INFO_COLUMNS, INFO_TYPES } from './store';

/** A bill's id, with the scope in which it is sought. */
export interface BillAddress extends Scope {
  readonly id: string;
}

const COLUMNS = {
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
  ...INFO_TYPES,
  ...EXTRA_TYPES,
  attemptState: nullable(attemptState),
  attemptReason: nullable(text),
  attemptAt: nullable(timestamptz),
};

const BILL = `b.id, b.amount, b.reference, b.mobile, b.paid_amount AS "paidAmount", b.status, b.created_at AS "createdAt",
  b.paid_at AS "paidAt", b.closed_at AS "closedAt", b.reversed_amount AS "reversedAmount", ${INFO_COLUMNS}, ${EXTRA_COLUMNS}, a.state AS "attemptState",
  a.failure_reason AS "attemptReason", a.at AS "attemptAt"`;
const LAST_ATTEMPT = `LEFT JOIN LATERAL (
  SELECT state, failure_reason, greatest(created_at, sent_at, unknown_since, released_at, settled_at) AS at
  FROM (SELECT * FROM push_attempt WHERE bill_id = b.id OFFSET 0) own ORDER BY id DESC LIMIT 1) a ON true`;

/**
 * Reads any number of bills. `position` counts from 1 in the order of the parameters.
 * `billById`, and OFFSET 0 in LAST_ATTEMPT, make PostgreSQL use the indexes on the bill's id. A prepared statement keeps its plan, so with
 * another index it would read all bills or attempts of the merchant each time, even when the tables have grown.
 */
export const SELECT_BILL_DETAILS = statement({
  name: 'select-bill-details',
  prepared: true,
  text: `
SELECT wanted.position::int, ${BILL}
FROM ${unnest('$ids::uuid[]', '$merchantIds::uuid[]', '$environments::environment[]')} WITH ORDINALITY AS wanted(id, merchant_id, environment, position)
JOIN LATERAL ${billById('wanted.id')} ON b.merchant_id = wanted.merchant_id AND b.environment = wanted.environment
${LAST_ATTEMPT}`,
  parameters: { ids: array(uuid), merchantIds: array(uuid), environments: array(environment) },
  columns: { position: neverNull(int4), ...COLUMNS },
});

/** Reads one bill. The statement for several bills would take twice as long to read one. */
const SELECT_ONE_BILL_DETAILS = statement({
  name: 'select-one-bill-details',
  prepared: true,
  text: `
SELECT ${BILL}
FROM ${billById('$id')} ${LAST_ATTEMPT}
WHERE b.merchant_id = $merchantId AND b.environment = $environment`,
  parameters: { id: uuid, merchantId: uuid, environment },
  columns: COLUMNS,
});

/** Returns the bills in the order of `wanted`. The array contains null for each bill that does not exist. */
export async function findBillDetails(db: Queryable, wanted: readonly BillAddress[]): Promise<(BillDetails | null)[]> {
  const [first] = wanted;
  if (first && wanted.length === 1) return [(await SELECT_ONE_BILL_DETAILS.first(db, first)) ?? null];
  const rows = await SELECT_BILL_DETAILS.rows(db, {
    ids: wanted.map(({ id }) => id),
    merchantIds: wanted.map(({ merchantId }) => merchantId),
    environments: wanted.map(({ environment: name }) => name),
  });
  const found = new Map(rows.map((row) => [row.position, row]));
  return wanted.map((_, index) => found.get(index + 1) ?? null);
}

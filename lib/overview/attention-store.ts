import { overpaidSql } from '@/lib/bills/store';
import { lowestId } from '@/lib/core/ids';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { COUNTED, type EndpointFacts, NAMED, type NetworkRecent, type Pile } from './attention-facts';

interface PileRow {
  readonly count: number;
  readonly since: Date;
  readonly id: string | null;
  readonly reference: string | null;
}

/** @param found a query of bill_id and at, of a merchant ($1, $2). */
async function pileOf(db: Queryable, found: string, values: readonly unknown[]): Promise<Pile> {
  const rows = await db.query<PileRow>(
    {
      text: `WITH found AS MATERIALIZED (${found} ORDER BY at LIMIT ${COUNTED + 1})
             SELECT (SELECT count(*)::int FROM found) AS count, f.at AS since, b.id, b.reference FROM (SELECT * FROM found ORDER BY at LIMIT ${NAMED}) f
             LEFT JOIN bill b ON b.id = f.bill_id AND b.merchant_id = $1 AND b.environment = $2 ORDER BY f.at`,
    },
    values,
  );
  const named = rows.flatMap(({ id, reference }) => (id !== null && reference !== null ? [{ id, reference }] : []));
  const bills = [...new Map(named.map((bill) => [bill.id, bill])).values()];
  return { count: rows[0]?.count ?? 0, since: rows[0]?.since ?? null, bills };
}

/** @returns prompts that nobody knows the end of since before an instant, and whose amounts are reserved still. */
export async function findReleasable(db: Queryable, { merchantId, environment }: Scope, before: Date): Promise<Pile> {
  const found = `SELECT bill_id, unknown_since AS at FROM push_attempt
                 WHERE merchant_id = $1 AND environment = $2 AND state = 'UNKNOWN' AND unknown_since <= $3 AND released_at IS NULL`;
  return pileOf(db, found, [merchantId, environment, before]);
}

/** @returns the reviews that are open about a merchant's money. */
export async function findOpenReviews(db: Queryable, { merchantId, environment }: Scope): Promise<Pile> {
  const found = `SELECT coalesce(a.bill_id, pa.bill_id) AS bill_id, r.opened_at AS at FROM review r
                 LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN payment p ON p.id = r.payment_id LEFT JOIN push_attempt pa ON pa.id = p.attempt_id
                 WHERE r.merchant_id = $1 AND r.environment = $2 AND r.resolved_at IS NULL`;
  return pileOf(db, found, [merchantId, environment]);
}

/** @returns bills that were paid since an instant, and more than was asked for, and how much too much is in them. */
export async function findOverpaid(
  db: Queryable,
  { merchantId, environment }: Scope,
  since: Date,
): Promise<Pile & { readonly amount: bigint }> {
  const values = [merchantId, environment, since];
  // The index on paid_at would lead through all that was paid in these weeks; it does not serve this expression.
  const found = `SELECT id AS bill_id, paid_at AS at, paid_amount - (amount + 99) / 100 * 100 AS excess FROM bill
                 WHERE merchant_id = $1 AND environment = $2 AND ${overpaidSql()} AND coalesce(paid_at, created_at) >= $3`;
  const sum = `SELECT coalesce(sum(excess), 0)::bigint AS amount FROM (${found} ORDER BY at LIMIT ${COUNTED + 1}) found`;
  const [pile, rows] = await Promise.all([pileOf(db, found, values), db.query<{ amount: bigint }>({ text: sum }, values)]);
  return { ...pile, amount: rows[0]?.amount ?? 0n };
}

/** @returns deliveries created since an instant that were given up. */
export async function findExhausted(db: Queryable, { merchantId, environment }: Scope, since: Date): Promise<Pile> {
  const found = `SELECT bill_id, created_at AS at FROM webhook_delivery WHERE merchant_id = $1 AND environment = $2 AND state = 'EXHAUSTED' AND id >= $3`;
  return pileOf(db, found, [merchantId, environment, lowestId(since.getTime())]);
}

export async function findEndpointFacts(db: Queryable, { merchantId, environment }: Scope): Promise<EndpointFacts | undefined> {
  const [endpoint] = await db.query<EndpointFacts>(
    {
      text: `SELECT e.url, e.status, e.disabled_reason AS "disabledReason", e.status_since AS "statusSince", e.failing_since AS "failingSince",
               CASE WHEN e.status = 'active' AND e.failing_since IS NULL THEN 0 ELSE (
                 SELECT count(*)::int FROM (SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'PENDING' LIMIT ${COUNTED + 1}) pending
               ) END AS waiting
             FROM webhook_endpoint e WHERE e.merchant_id = $1 AND e.environment = $2`,
    },
    [merchantId, environment],
  );
  return endpoint;
}

export async function countRecent(db: Queryable, { merchantId, environment }: Scope, since: Date): Promise<NetworkRecent[]> {
  return db.query<NetworkRecent>(
    {
      text: `SELECT network, count(*)::int AS ended, (count(*) FILTER (WHERE failure_reason = 'provider_unavailable'))::int AS unavailable, min(settled_at) AS since
             FROM push_attempt WHERE merchant_id = $1 AND environment = $2 AND settled_at >= $3 AND state IN ('SUCCEEDED', 'FAILED', 'EXPIRED')
             GROUP BY network ORDER BY network`,
    },
    [merchantId, environment, since],
  );
}

/** What somebody new here has done already. */
export interface FirstSteps {
  readonly key: boolean;
  readonly bill: boolean;
  readonly webhook: boolean;
}

export async function findFirstSteps(db: Queryable, { merchantId, environment }: Scope): Promise<FirstSteps> {
  const [steps] = await db.query<FirstSteps>(
    {
      text: `SELECT EXISTS (SELECT 1 FROM api_key WHERE merchant_id = $1 AND environment = $2 AND revoked_at IS NULL) AS key,
               (SELECT true FROM bill WHERE merchant_id = $1 AND environment = $2 ORDER BY status, id LIMIT 1) IS NOT NULL AS bill,
               EXISTS (SELECT 1 FROM webhook_endpoint WHERE merchant_id = $1 AND environment = $2 AND url IS NOT NULL) AS webhook`,
    },
    [merchantId, environment],
  );
  if (!steps) throw new Error('three questions have one row of answers');
  return steps;
}

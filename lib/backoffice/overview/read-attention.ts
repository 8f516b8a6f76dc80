import { billById, overpaidSql } from '@/lib/gateway/bills/store';
import { listOwnUnmatched } from '@/lib/gateway/ledger/listing-store';
import { RELEASE_AFTER_MS } from '@/lib/gateway/payments/rules';
import { listExpiringKeys } from '@/lib/identity/keys/show-keys';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { bill, pushAttempt, webhookEndpoint } from '@/lib/platform/db/generated/tables';
import { int4, neverNull, nullable, pick, type SqlType, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { listNetworkHealth } from '@/lib/providers/accounts/route-store';
import { type AttentionFacts, type Backlog, COUNTED, type EndpointFacts, NAMED, type NetworkRecent } from './attention-rules';
import { networkFigures } from './figures';
import { addDays, type Day } from './periods';
import type { KnownDays } from './read-days';

/** The usual failure rate, and which networks customers use, are determined from this many days. */
const USUAL_DAYS = 30;
/** The time in which network failures count as current, in milliseconds. */
const RECENT_MS = 15 * MINUTE_MS;
/** Older exhausted deliveries are not reported. */
const EXHAUSTED_MS = 30 * DAY_MS;

/** Older excess payments are not reported. They can still be found in the bill list. */
const OVERPAID_MS = 30 * DAY_MS;

/** The facts that come from the daily sums. */
type Usual = Pick<AttentionFacts, 'usual' | 'limitedToday'>;

/** Returns the first of the days that show what is usual: the failure rate, and the networks that customers use. */
export function usualFrom(today: Day): Day {
  return addDays(today, 1 - USUAL_DAYS);
}

/** Returns the facts that come from the daily sums. The sums must include all days from `usualFrom` to today. */
export function usualOf({ attempts }: KnownDays, today: Day): Usual {
  const limited = attempts.filter(({ day, reason }) => day === today && reason === 'too_many_prompts');
  return {
    usual: networkFigures(attempts.filter(({ day }) => day >= usualFrom(today))),
    limitedToday: limited.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Returns the facts that do not come from the daily sums. */
export async function readAttentionFacts(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  scope: Scope,
  status: AttentionFacts['status'],
): Promise<Omit<AttentionFacts, keyof Usual>> {
  const now = clock();
  const [releasable, reviews, owned, overpaid, refunds, endpoint, exhausted, keys, recent, served] = await Promise.all([
    findReleasable(db, { ...scope, before: addMs(now, -RELEASE_AFTER_MS) }),
    findOpenReviews(db, scope),
    listOwnUnmatched(db, scope),
    findOverpaid(db, scope, addMs(now, -OVERPAID_MS)),
    findWaitingRefunds(db, scope),
    findEndpointFacts(db, scope),
    findExhausted(db, scope, addMs(now, -EXHAUSTED_MS)),
    listExpiringKeys({ db, clock }, scope),
    countRecent(db, scope, addMs(now, -RECENT_MS)),
    listNetworkHealth(db, scope, now),
  ]);
  const unmatched = {
    count: owned.length,
    since: owned[0]?.recordedAt ?? null,
    bills: owned.flatMap(({ billId: id, reference }) => (id !== null && reference !== null ? { id, reference } : [])).slice(0, NAMED),
    amount: owned.reduce((sum, { unmatched: amount }) => sum + amount, 0n),
  };
  return { status, releasable, reviews, unmatched, overpaid, refunds, endpoint, exhausted, keys, recent, served };
}

const SCOPE = pick(bill, 'merchantId environment');

/**
 * Returns a function that reads a backlog. `found` is a query with the columns bill_id and at and the parameters $merchantId and
 * $environment.
 */
function backlogReader<Given extends Readonly<Record<string, SqlType<unknown>>>>(name: string, found: string, parameters: Given) {
  const find = statement({
    name,
    text: `WITH found AS MATERIALIZED (${found} ORDER BY at LIMIT ${COUNTED + 1})
           SELECT (SELECT count(*)::int FROM found) AS count, f.at AS since, b.id, b.reference FROM (SELECT * FROM found ORDER BY at LIMIT ${NAMED}) f
           LEFT JOIN LATERAL ${billById('f.bill_id')} ON b.merchant_id = $merchantId AND b.environment = $environment ORDER BY f.at`,
    parameters,
    columns: { count: int4, since: neverNull(timestamptz), id: nullable(bill.id), reference: nullable(bill.reference) },
  });
  return async (...call: Parameters<typeof find.rows>): Promise<Backlog> => {
    const rows = await find.rows(...call);
    const named = rows.flatMap(({ id, reference }) => (id !== null && reference !== null ? [{ id, reference }] : []));
    const bills = [...new Map(named.map((bill) => [bill.id, bill])).values()];
    return { count: rows[0]?.count ?? 0, since: rows[0]?.since ?? null, bills };
  };
}

/** Returns attempts that became unknown before an instant and still reserve their amount. */
export const findReleasable = backlogReader(
  'find releasable attempts',
  `SELECT bill_id, unknown_since AS at FROM push_attempt
   WHERE merchant_id = $merchantId AND environment = $environment AND state = 'UNKNOWN' AND unknown_since <= $before AND released_at IS NULL`,
  { ...SCOPE, before: timestamptz },
);

const findWaitingRefunds = backlogReader(
  'find refunds that wait for a person',
  `SELECT bill_id, created_at AS at FROM refund
   WHERE merchant_id = $merchantId AND environment = $environment AND state IN ('ASKED', 'APPROVED')`,
  SCOPE,
);

export const findOpenReviews = backlogReader(
  "find open reviews of a merchant's money",
  `SELECT coalesce(a.bill_id, pa.bill_id, (SELECT bill_id FROM instrument WHERE id = p.instrument_id)) AS bill_id, r.opened_at AS at FROM review r
   LEFT JOIN push_attempt a ON a.id = r.attempt_id LEFT JOIN payment p ON p.id = r.payment_id LEFT JOIN push_attempt pa ON pa.id = p.attempt_id
   WHERE r.merchant_id = $merchantId AND r.environment = $environment AND r.resolved_at IS NULL`,
  SCOPE,
);

// coalesce() prevents PostgreSQL from using the index on paid_at. With that index, the query would read all bills paid from `$since` on.
const OVERPAID = `SELECT id AS bill_id, paid_at AS at, paid_amount - (amount + 99) / 100 * 100 AS excess FROM bill
  WHERE merchant_id = $merchantId AND environment = $environment AND ${overpaidSql()} AND coalesce(paid_at, created_at) >= $since`;
const findOverpaidBills = backlogReader('find overpaid bills', OVERPAID, { ...SCOPE, since: timestamptz });
const SUM_OVERPAID = statement({
  name: 'sum excess payments',
  text: `SELECT coalesce(sum(excess), 0)::bigint AS amount FROM (${OVERPAID} ORDER BY at LIMIT ${COUNTED + 1}) found`,
  parameters: { ...SCOPE, since: timestamptz },
  columns: { amount: bill.amount },
});

/**
 * Returns the bills that were paid since an instant and are overpaid. At most COUNTED + 1 bills are counted. `amount` is the sum in senti
 * by which the counted bills are overpaid.
 */
export async function findOverpaid(
  db: Queryable,
  { merchantId, environment }: Scope,
  since: Date,
): Promise<Backlog & { readonly amount: bigint }> {
  const values = { merchantId, environment, since };
  const [found, sum] = await Promise.all([findOverpaidBills(db, values), SUM_OVERPAID.first(db, values)]);
  return { ...found, amount: sum?.amount ?? 0n };
}

const findExhaustedSince = backlogReader(
  'find exhausted deliveries',
  `SELECT bill_id, created_at AS at FROM webhook_delivery
   WHERE merchant_id = $merchantId AND environment = $environment AND state = 'EXHAUSTED' AND id >= $first`,
  { ...SCOPE, first: uuid },
);

/** Returns the exhausted deliveries that were created since an instant. */
export async function findExhausted(db: Queryable, { merchantId, environment }: Scope, since: Date): Promise<Backlog> {
  return findExhaustedSince(db, { merchantId, environment, first: lowestId(since.getTime()) });
}

const COUNT_RECENT = statement({
  name: 'count recently ended attempts',
  text: `SELECT network, count(*)::int AS ended, (count(*) FILTER (WHERE failure_reason = 'provider_unavailable'))::int AS unavailable,
           min(settled_at) AS since
         FROM push_attempt
         WHERE merchant_id = $merchantId AND environment = $environment AND settled_at >= $since AND state IN ('SUCCEEDED', 'FAILED', 'EXPIRED')
         GROUP BY network ORDER BY network`,
  parameters: { ...SCOPE, since: timestamptz },
  columns: { network: pushAttempt.network, ended: int4, unavailable: int4, since: timestamptz },
});

export async function countRecent(db: Queryable, { merchantId, environment }: Scope, since: Date): Promise<NetworkRecent[]> {
  return COUNT_RECENT.rows(db, { merchantId, environment, since });
}

const FIND_ENDPOINT = statement({
  name: 'find the health of an endpoint',
  text: `SELECT e.url, e.status, e.disabled_reason AS "disabledReason", e.status_since AS "statusSince", e.failing_since AS "failingSince",
           CASE WHEN e.status = 'active' AND e.failing_since IS NULL THEN 0 ELSE (
             SELECT count(*)::int FROM (SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'PENDING' LIMIT ${COUNTED + 1}) pending
           ) END AS waiting
         FROM webhook_endpoint e WHERE e.merchant_id = $merchantId AND e.environment = $environment`,
  parameters: pick(webhookEndpoint, 'merchantId environment'),
  columns: { ...pick(webhookEndpoint, 'url status disabledReason statusSince failingSince'), waiting: int4 },
});

export async function findEndpointFacts(db: Queryable, scope: Scope): Promise<EndpointFacts | undefined> {
  return FIND_ENDPOINT.first(db, scope);
}

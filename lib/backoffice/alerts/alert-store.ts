import { billById } from '@/lib/gateway/bills/store';
import { REVIEW_KINDS } from '@/lib/gateway/reviews/rules';
import { CASHIER_LINKS } from '@/lib/identity/accounts/cashier-store';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { alertMark, bill, billEvent, membership, paymentAllocation } from '@/lib/platform/db/generated/tables';
import { boolean, int4, int8, neverNull, nullable, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { ALERT_KINDS, type Alert, type AlertPosition, type AlertReader, type AlertTopic } from './alert';

/**
 * How many bills a collector is notified about: the newest bills that this collector created. This limit applies to payments, reversals and
 * corrections. It keeps the number of read rows small.
 */
const COLLECTOR_BILLS = 200;

const older = (at: string, id: string) => `${at} >= $since AND ${at} <= $at AND (${at}, ${id}) < ($at, $id::uuid)`;
const newest = (at: string, id: string) => `ORDER BY ${at} DESC, ${id} DESC LIMIT $limit::int`;
const NOTHING = 'NULL::uuid AS bill_id, NULL::bigint AS amount, NULL::text AS name, NULL::int AS count, NULL::text AS review';

/** A reversal takes money from a bill. So the index finds the few rows of reversals by their amounts. */
const ofTopic = `($news AND p.kind <> 'reversal' OR $attention AND p.kind = 'reversal') AND ($news OR a.amount < 0)`;

/**
 * Each part of the UNION reads its rows newest first from an index, so the size of the tables does not matter. Parts that find only a few
 * rows (one endpoint, the members, unknown attempts) have no index of their own.
 */
const LIST_ALERTS = statement({
  name: 'list notifications',
  text: `
WITH own_bill AS MATERIALIZED (
  SELECT id FROM bill
  WHERE $billsOf::uuid IS NOT NULL AND merchant_id = $merchantId AND environment = $environment AND created_by_id = $billsOf
  ORDER BY id DESC LIMIT ${COLLECTOR_BILLS}
), found AS (
  (SELECT p.kind::text AS kind, a.created_at AS at, a.id, a.bill_id, a.amount, NULL::text AS name, NULL::int AS count, NULL::text AS review
   FROM payment_allocation a JOIN payment p ON p.id = a.payment_id
   WHERE $billsOf::uuid IS NULL AND a.merchant_id = $merchantId AND a.environment = $environment AND ${ofTopic}
     AND ${older('a.created_at', 'a.id')}
   ${newest('a.created_at', 'a.id')})
  UNION ALL
  (SELECT p.kind::text, a.created_at, a.id, a.bill_id, a.amount, NULL, NULL, NULL
   FROM own_bill o JOIN payment_allocation a ON a.bill_id = o.id JOIN payment p ON p.id = a.payment_id
   WHERE a.merchant_id = $merchantId AND a.environment = $environment AND ${ofTopic} AND ${older('a.created_at', 'a.id')}
   ${newest('a.created_at', 'a.id')})
  UNION ALL
  (SELECT 'unmatched', e.at, p.id, e.bill_id, p.amount, NULL, NULL, NULL
   FROM bill_event e JOIN payment p ON p.id = (e.data->>'payment')::uuid
   WHERE $attention AND $money AND e.merchant_id = $merchantId AND e.environment = $environment AND e.type = 'payment.unmatched' AND ${older('e.at', 'p.id')}
   ${newest('e.at', 'p.id')})
  UNION ALL
  (SELECT 'unmatched', p.recorded_at, p.id, NULL, p.amount, NULL, NULL, NULL
   FROM payment p
   WHERE $attention AND $money AND p.provider_account_id = ANY (ARRAY(SELECT id FROM provider_account WHERE merchant_id = $merchantId AND environment = $environment))
     AND p.attempt_id IS NULL AND p.instrument_id IS NULL AND p.kind = 'payment' AND p.source = 'provider' AND ${older('p.recorded_at', 'p.id')}
   ${newest('p.recorded_at', 'p.id')})
  UNION ALL
  (SELECT 'unknown', u.at, u.id, u.bill_id, u.amount, NULL, NULL, NULL
   FROM (SELECT id, bill_id, amount, unknown_since + interval '15 minutes' AS at FROM push_attempt
         WHERE merchant_id = $merchantId AND environment = $environment AND state = 'UNKNOWN') u
   JOIN bill b ON b.id = u.bill_id
   WHERE $attention AND u.at <= $now AND ($billsOf::uuid IS NULL OR b.created_by_id = $billsOf) AND ${older('u.at', 'u.id')}
   ${newest('u.at', 'u.id')})
  UNION ALL
  (SELECT 'review', r.opened_at, r.id, coalesce(t.bill_id, pt.bill_id, (SELECT bill_id FROM instrument WHERE id = p.instrument_id)), coalesce(q.amount, p.amount, t.amount), NULL, NULL, r.kind::text
   FROM review r LEFT JOIN push_attempt t ON t.id = r.attempt_id LEFT JOIN refund q ON q.id = r.reversal_request_id
   LEFT JOIN payment p ON p.id = coalesce(r.payment_id, q.payment_id) LEFT JOIN push_attempt pt ON pt.id = p.attempt_id
   WHERE $attention AND $money AND r.merchant_id = $merchantId AND r.environment = $environment AND r.resolved_at IS NULL AND ${older('r.opened_at', 'r.id')}
   ${newest('r.opened_at', 'r.id')})
  UNION ALL
  (SELECT 'endpoint', w.status_since, w.id, ${NOTHING} FROM webhook_endpoint w
   WHERE $attention AND $webhooks AND w.merchant_id = $merchantId AND w.environment = $environment AND w.status = 'disabled'
     AND ${older('w.status_since', 'w.id')})
  UNION ALL
  (SELECT 'import', i.finished_at, i.id, NULL, i.total, i.file_name, i.row_count, NULL FROM bill_import i
   WHERE $news AND $imports AND i.merchant_id = $merchantId AND i.environment = $environment AND i.finished_at IS NOT NULL
     AND ${older('i.finished_at', 'i.id')}
   ${newest('i.finished_at', 'i.id')})
  UNION ALL
  (SELECT 'member', s.created_at, s.user_id, NULL, NULL, n.name, NULL, NULL
   FROM membership s JOIN "user" n ON n.id = s.user_id
   WHERE $news AND $team AND s.merchant_id = $merchantId AND s.user_id <> $userId AND ${older('s.created_at', 's.user_id')}
   ${newest('s.created_at', 's.user_id')})
  UNION ALL
  (SELECT 'lock', d.locked_at, d.id, NULL, NULL, n.name, NULL, NULL
   FROM cashier_device d JOIN "user" n ON n.id = d.user_id
   WHERE $attention AND $team AND d.merchant_id = $merchantId AND ${older('d.locked_at', 'd.id')}
   ${newest('d.locked_at', 'd.id')})
  UNION ALL
  (SELECT 'link', l.at, l.id, NULL, NULL, l.name, NULL, NULL
   FROM (${CASHIER_LINKS}) l JOIN "user" r ON r.id = $userId
   WHERE $attention AND $team AND l.merchant_id = $merchantId AND l.invited_by <> 'user:' || r.email AND ${older('l.at', 'l.id')}
   ${newest('l.at', 'l.id')})
), page AS (SELECT * FROM found ORDER BY at DESC, id DESC LIMIT $limit::int)
SELECT f.kind, f.at, f.id, b.id AS "billId", b.reference, f.amount, f.name, f.count, f.review,
  CASE WHEN f.kind = 'payment' AND b.paid_amount > b.amount THEN
    (SELECT sum(x.amount) FROM payment_allocation x WHERE x.bill_id = b.id AND (x.created_at, x.id) <= (f.at, f.id))::bigint
    - ((b.amount + 99) / 100) * 100 END AS overpaid
FROM page f LEFT JOIN LATERAL ${billById('f.bill_id')} ON b.merchant_id = $merchantId AND b.environment = $environment
ORDER BY f.at DESC, f.id DESC`,
  parameters: {
    ...pick(bill, 'merchantId environment id'),
    billsOf: bill.createdById,
    userId: membership.userId,
    money: boolean,
    webhooks: boolean,
    team: boolean,
    imports: boolean,
    news: boolean,
    attention: boolean,
    since: timestamptz,
    now: timestamptz,
    at: billEvent.at,
    limit: int4,
  },
  columns: {
    kind: neverNull(text),
    at: billEvent.at,
    id: bill.id,
    billId: nullable(bill.id),
    reference: nullable(bill.reference),
    amount: nullable(paymentAllocation.amount),
    name: nullable(text),
    count: nullable(int4),
    review: nullable(text),
    /**
     * For a payment to a bill that is overpaid now: the excess amount just after this payment, in senti. Zero or negative if the bill was
     * not overpaid at that time. Null for all other payments, and if the notification is not about a payment.
     */
    overpaid: nullable(int8),
  },
});

interface ListOptions {
  readonly reader: AlertReader;
  /** Null for all topics. */
  readonly topic: AlertTopic | null;
  readonly now: Date;
  /** Events before this instant are not listed. */
  readonly since: Date;
  /** Only events older than the event at this position are returned. Null to start with the newest event. */
  readonly before: AlertPosition | null;
  readonly limit: number;
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the recent events of a merchant's environment that the reader may see, newest first. */
export async function listAlertRows(
  db: Queryable,
  { merchantId, environment }: Scope,
  { reader, topic, now, since, before, limit }: ListOptions,
): Promise<Alert[]> {
  const { billsOf, userId, money, webhooks, team, imports } = reader;
  const { at, id } = before ?? { at: now, id: HIGHEST_ID };
  const rows = await LIST_ALERTS.rows(db, {
    ...{ merchantId, environment, billsOf, userId, money, webhooks, team, imports },
    ...{ since, now, at, id, limit, news: topic !== 'attention', attention: topic !== 'news' },
  });
  return rows.flatMap(({ kind, billId, reference, overpaid, review, ...row }) => {
    const known = ALERT_KINDS.find((one) => one === kind);
    if (!known) return [];
    return {
      ...row,
      kind: known,
      bill: billId !== null && reference !== null ? { id: billId, reference } : null,
      overpaid: overpaid !== null && overpaid > 0n ? overpaid : 0n,
      review: REVIEW_KINDS.find((one) => one === review) ?? null,
    };
  });
}

/** Returns until when a member has read their notifications, or null if they never marked any as read. */
export async function findMark({ prisma }: Connection, { merchantId, environment }: Scope, userId: string): Promise<Date | null> {
  const where = { merchantId_environment_userId: { merchantId, environment, userId } };
  return (await prisma.alertMark.findUnique({ where, select: { readUntil: true } }))?.readUntil ?? null;
}

/** Moves a member's mark forward. A page that was loaded earlier cannot move it back. */
export const MOVE_MARK = statement({
  name: 'mark notifications as read',
  text: `INSERT INTO alert_mark (merchant_id, environment, user_id, read_until)
         SELECT merchant_id, $environment, user_id, $until FROM membership WHERE merchant_id = $merchantId AND user_id = $userId
         ON CONFLICT (merchant_id, environment, user_id)
         DO UPDATE SET read_until = greatest(alert_mark.read_until, excluded.read_until)`,
  parameters: { ...pick(membership, 'merchantId userId'), environment: alertMark.environment, until: timestamptz },
});

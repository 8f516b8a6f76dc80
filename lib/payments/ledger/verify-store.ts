import type { Queryable } from '@/lib/db/database';
import { int4, int8, text } from '@/lib/db/sql-types';
import { registerVariants, variant } from '@/lib/db/statement';

/** A rule that must hold over the whole database. Its query finds violations as rows of (subject, detail). */
interface Check {
  readonly name: string;
  /** The rule, as a sentence. */
  readonly holds: string;
  readonly sql: string;
}

const OPEN = `('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN')`;
const STATUS_EVENT = `('bill.not_paid', 'bill.partially_paid', 'bill.fully_paid')`;
/** The triggers that protect the ledger and the audit log, by table. */
const PROTECTING_TRIGGERS: Readonly<Record<string, readonly string[]>> = {
  payment: ['payment_append_only', 'payment_not_truncated', 'payment_till', 'reversal_fits_payment', 'correction_has_entry'],
  payment_allocation: [
    'payment_allocation_append_only',
    'payment_allocation_not_truncated',
    'allocation_counts_on_bill',
    'allocation_takes_back',
    'allocation_fits_payment',
    'allocation_counted',
  ],
  refund_mark: ['refund_mark_append_only', 'refund_mark_not_truncated', 'refund_mark_filled', 'mark_fits_payment'],
  reversal_receipt: ['reversal_receipt_append_only', 'reversal_receipt_not_truncated'],
  payment_fee: ['payment_fee_append_only', 'payment_fee_not_truncated'],
  payment_correction: [
    'payment_correction_append_only',
    'payment_correction_not_truncated',
    'correction_of_entry',
    'correction_fits_payment',
  ],
  audit_entry: ['audit_entry_kept', 'audit_entry_not_truncated'],
  bill: ['bill_paid_amount_is_allocated', 'bill_starts_unpaid', 'bill_reserves_open_attempts'],
  provider_account: ['provider_account_till', 'provider_account_identity', 'provider_account_new_identity'],
};
const TRIGGER_NAMES = Object.entries(PROTECTING_TRIGGERS).flatMap(([table, names]) => names.map((name) => `'${table}.${name}'`));

/** Returns SQL that formats an amount of senti for the operator. */
const shillings = (senti: string) => `'TZS ' || trim_scale((${senti}) / 100.0)`;

export const CHECKS: readonly Check[] = [
  {
    name: 'paid_is_allocated',
    holds: "Every bill's paid amount is the sum of its allocations.",
    sql: `SELECT b.id AS subject, 'paid ' || ${shillings('b.paid_amount')} || ', allocated ' || ${shillings('coalesce(a.total, 0)')} AS detail
          FROM bill b LEFT JOIN (SELECT bill_id, sum(amount) AS total FROM payment_allocation GROUP BY bill_id) a ON a.bill_id = b.id
          WHERE b.paid_amount <> coalesce(a.total, 0)`,
  },
  {
    name: 'reversed_is_taken_back',
    holds: "Every bill's reversed amount is the sum of the amounts that reversals took from it, including corrections.",
    sql: `SELECT b.id AS subject, 'reversed ' || ${shillings('b.reversed_amount')} || ', taken by reversals ' || ${shillings('coalesce(r.total, 0)')} AS detail
          FROM bill b LEFT JOIN (SELECT a.bill_id, -sum(a.amount) AS total FROM payment_allocation a JOIN payment p ON p.id = a.payment_id
            LEFT JOIN payment_correction c ON c.id = p.id
            WHERE p.kind = 'reversal' OR c.corrects_id <> c.payment_id GROUP BY a.bill_id) r ON r.bill_id = b.id
          WHERE b.reversed_amount <> coalesce(r.total, 0)`,
  },
  {
    name: 'status_follows',
    holds: "Every bill's status matches its amount, its paid amount and its last status event.",
    sql: `SELECT b.id AS subject, b.status || ', last event ' || coalesce(e.type, 'none') AS detail
          FROM bill b LEFT JOIN LATERAL (SELECT type FROM bill_event WHERE bill_id = b.id AND type IN ${STATUS_EVENT} ORDER BY number DESC LIMIT 1) e ON true
          WHERE 'bill.' || lower(b.status::text) <> coalesce(e.type, 'bill.not_paid')
            OR b.status::text <> CASE WHEN b.paid_amount = 0 THEN 'NOT_PAID' WHEN b.paid_amount < b.amount THEN 'PARTIALLY_PAID' ELSE 'FULLY_PAID' END`,
  },
  {
    name: 'reserved_is_asked',
    holds: 'Every bill reserves exactly the amounts of its open attempts.',
    sql: `SELECT b.id AS subject, 'reserved ' || ${shillings('b.reserved_amount')} || ', open attempts ' || ${shillings('coalesce(a.total, 0)')} AS detail
          FROM bill b LEFT JOIN (SELECT bill_id, sum(amount) AS total FROM push_attempt WHERE state IN ${OPEN} AND released_at IS NULL GROUP BY bill_id) a
            ON a.bill_id = b.id WHERE b.reserved_amount <> coalesce(a.total, 0)`,
  },
  {
    name: 'payments_not_overspent',
    holds: 'No payment is allocated or reversed beyond what was received.',
    sql: `SELECT p.id AS subject, 'received ' || ${shillings('p.amount')} || ', allocated ' || ${shillings('a.total')} || ', reversed ' || ${shillings('r.total')} AS detail
          FROM (SELECT p.id, p.amount + coalesce((SELECT sum(k.amount) FROM payment_correction c JOIN payment k ON k.id = c.id
                                                  WHERE c.payment_id = p.id AND c.corrects_id = p.id), 0) AS amount
                FROM payment p WHERE p.kind = 'payment') p
          CROSS JOIN LATERAL (SELECT coalesce(sum(x.amount), 0) AS total FROM payment_allocation x
                              WHERE x.payment_id IN (SELECT p.id UNION ALL SELECT id FROM payment WHERE reverses_id = p.id
                                                     UNION ALL SELECT id FROM payment_correction WHERE payment_id = p.id)) a
          CROSS JOIN LATERAL (SELECT coalesce(sum(r.amount), 0) + coalesce((SELECT sum(k.amount) FROM payment_correction c JOIN payment k ON k.id = c.id
                                       WHERE c.payment_id = p.id AND c.corrects_id <> p.id), 0) AS total FROM payment r WHERE r.reverses_id = p.id) r
          WHERE a.total < 0 OR a.total > p.amount - r.total`,
  },
  {
    name: 'corrections_named',
    holds: 'Every correction names a payment or its reversal, and leaves none below zero.',
    sql: `SELECT k.id AS subject, 'correction without a valid entry' AS detail FROM payment k LEFT JOIN payment_correction c ON c.id = k.id
          LEFT JOIN payment e ON e.id = c.corrects_id
          WHERE k.kind = 'correction' AND (e.id IS NULL OR coalesce(e.reverses_id, e.id) <> c.payment_id)
          UNION ALL SELECT c.id, 'details without a correction' FROM payment_correction c JOIN payment k ON k.id = c.id WHERE k.kind <> 'correction'
          UNION ALL SELECT e.id, 'corrected to ' || ${shillings('e.amount + sum(k.amount)')} FROM payment_correction c JOIN payment k ON k.id = c.id
          JOIN payment e ON e.id = c.corrects_id GROUP BY e.id HAVING e.amount + sum(k.amount) < 0`,
  },
  {
    name: 'one_environment',
    holds: 'A payment, its account, attempt and bill have the same environment, and an allocation has the same merchant as its bill.',
    sql: `SELECT a.id AS subject, 'allocation of payment ' || p.id AS detail
          FROM payment_allocation a JOIN payment p ON p.id = a.payment_id JOIN bill b ON b.id = a.bill_id
          WHERE a.environment <> b.environment OR p.environment <> b.environment OR a.merchant_id <> b.merchant_id
          UNION ALL SELECT p.id, 'payment of account ' || c.id FROM payment p JOIN provider_account c ON c.id = p.provider_account_id WHERE c.environment <> p.environment
          UNION ALL SELECT t.id, 'attempt on bill ' || b.id FROM push_attempt t JOIN bill b ON b.id = t.bill_id
          WHERE t.environment <> b.environment OR t.merchant_id <> b.merchant_id`,
  },
  {
    name: 'success_has_money',
    holds: 'Every succeeded attempt has a payment or a review that explains why not, and no other attempt has a payment.',
    sql: `SELECT t.id AS subject, 'succeeded without a payment' AS detail FROM push_attempt t
          WHERE t.state = 'SUCCEEDED' AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.attempt_id = t.id)
            AND NOT EXISTS (SELECT 1 FROM bill_event e WHERE e.bill_id = t.bill_id AND e.type = 'payment.recorded' AND e.data->>'attempt' = t.id::text)
            AND NOT EXISTS (SELECT 1 FROM payment_allocation a JOIN payment p ON p.id = a.payment_id WHERE a.bill_id = t.bill_id AND p.attempt_id IS NULL)
            AND NOT EXISTS (SELECT 1 FROM review r WHERE r.attempt_id = t.id AND r.kind = 'receipt_conflict')
          UNION ALL SELECT t.id, 'has a payment and is ' || t.state FROM push_attempt t
          WHERE t.state NOT IN ('SUCCEEDED', 'CANCELLED') AND EXISTS (SELECT 1 FROM payment p WHERE p.attempt_id = t.id)`,
  },
  {
    name: 'events_numbered',
    holds: "Every bill's events are numbered without gaps.",
    sql: `SELECT b.id AS subject, 'event_count ' || b.event_count || ', but ' || coalesce(e.n, 0) || ' up to ' || coalesce(e.last, 0) AS detail
          FROM bill b LEFT JOIN (SELECT bill_id, count(*) AS n, max(number) AS last FROM bill_event GROUP BY bill_id) e ON e.bill_id = b.id
          WHERE b.event_count <> coalesce(e.n, 0) OR b.event_count <> coalesce(e.last, 0)`,
  },
  {
    name: 'changes_announced',
    holds: 'Every status change has one webhook delivery and one entry in the event feed, and there are no others.',
    sql: `SELECT e.bill_id AS subject, 'event ' || e.number || ' has no delivery' AS detail
          FROM bill_event e
          WHERE e.type IN ${STATUS_EVENT} AND NOT EXISTS (
            SELECT 1 FROM webhook_delivery d JOIN event_feed_entry f ON f.delivery_id = d.id WHERE d.bill_id = e.bill_id AND d.event_number = e.number)
          UNION ALL SELECT d.bill_id, 'delivery ' || d.id || ' has no matching status event' FROM webhook_delivery d
          WHERE NOT EXISTS (SELECT 1 FROM bill_event e WHERE e.bill_id = d.bill_id AND e.number = d.event_number AND e.type = 'bill.' || lower(d.bill_status::text))`,
  },
  {
    name: 'open_has_next_step',
    holds: 'Every open attempt, reversal and delivery is due, or has an open review.',
    sql: `SELECT t.id AS subject, 'attempt is ' || t.state || ' and not due' AS detail FROM push_attempt t
          WHERE t.state IN ${OPEN} AND t.due_at IS NULL
            AND NOT (t.state = 'UNKNOWN' AND EXISTS (SELECT 1 FROM review r WHERE r.attempt_id = t.id AND r.kind = 'attempt_unresolved' AND r.resolved_at IS NULL))
          UNION ALL SELECT q.id, 'reversal is ' || q.state || ' and not due' FROM reversal_request q
          WHERE q.state IN ('QUEUED', 'SENDING', 'UNKNOWN') AND q.due_at IS NULL
            AND NOT (q.state = 'UNKNOWN' AND EXISTS (
              SELECT 1 FROM review r WHERE r.reversal_request_id = q.id AND r.kind = 'reversal_unresolved' AND r.resolved_at IS NULL))
          UNION ALL SELECT d.id, 'delivery is ' || d.state || ' and no earlier delivery is open' FROM webhook_delivery d
          WHERE d.state = 'BLOCKED' AND NOT EXISTS (
            SELECT 1 FROM webhook_delivery o WHERE o.endpoint_id = d.endpoint_id AND o.bill_id = d.bill_id AND o.state IN ('PENDING', 'SENDING') AND o.ordered)`,
  },
  {
    name: 'reversals_booked',
    holds: 'Every succeeded reversal request is in the ledger, with the requested amount unless a person settled it.',
    sql: `SELECT q.payment_id AS subject, count(*) || ' succeeded, ' || r.n || ' in the ledger' AS detail FROM reversal_request q
          CROSS JOIN LATERAL (SELECT count(*) AS n FROM payment WHERE reverses_id = q.payment_id) r
          WHERE q.state = 'SUCCEEDED' GROUP BY q.payment_id, r.n HAVING count(*) > r.n
          UNION ALL SELECT q.id, 'requested ' || ${shillings('q.amount')} || ', but no reversal of payment ' || q.payment_id || ' has this amount' FROM reversal_request q
          WHERE q.state = 'SUCCEEDED' AND NOT EXISTS (SELECT 1 FROM payment r WHERE r.reverses_id = q.payment_id AND r.amount = q.amount)
            AND NOT EXISTS (SELECT 1 FROM audit_entry e WHERE e.action = 'reversal.settled' AND e.subject = q.id::text)`,
  },
  {
    name: 'ledger_protected',
    holds: 'The triggers that protect the ledger and the audit log exist and are enabled.',
    sql: `SELECT name AS subject, 'is missing or disabled' AS detail FROM unnest(ARRAY[${TRIGGER_NAMES.join(', ')}]) name
          WHERE NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = to_regclass(quote_ident(split_part(name, '.', 1)))
            AND t.tgname = split_part(name, '.', 2) AND t.tgenabled IN ('O', 'A'))`,
  },
];

const findFirst = ({ name, sql }: Check) =>
  variant({
    name: `verify that ${name}`,
    text: `SELECT subject::text, detail, count(*) OVER ()::int AS total FROM (${sql}) found LIMIT $limit`,
    parameters: { limit: int8 },
    columns: { subject: text, detail: text, total: int4 },
  });

registerVariants(CHECKS.map(findFirst));

/** Returns the number of violations of a check, and the first ones. */
export async function findBreaches(db: Queryable, check: Check, limit: number) {
  const rows = await findFirst(check).rows(db, { limit: BigInt(limit) });
  return { count: rows[0]?.total ?? 0, first: rows.map(({ subject, detail }) => ({ subject, detail })) };
}

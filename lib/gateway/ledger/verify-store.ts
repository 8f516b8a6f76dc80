import type { Queryable } from '@/lib/platform/db/database';
import { auditEntry, bill } from '@/lib/platform/db/generated/tables';
import { array, int4, int8, nullable, text, uuid } from '@/lib/platform/db/sql-types';
import { registerVariants, variant } from '@/lib/platform/db/statement';

/** How many violations of a check are shown. */
export const SHOWN = 5;

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

/**
 * The tables whose rows are checked in pieces. The first ones are those that a check of new rows begins with, because their rows say which
 * bills have changed.
 */
export const TABLES = [
  'payment_allocation',
  'push_attempt',
  'bill',
  'payment',
  'payment_correction',
  'refund',
  'instrument',
  'webhook_delivery',
] as const;
export type Table = (typeof TABLES)[number];

/** A part of a check: violations by the rows of a table with the given ids. A part without a table is one query. */
interface Part {
  readonly table: Table | null;
  /** A query that finds violations as rows of (subject, detail). It reads the ids from `$ids`. */
  readonly sql: string;
}

/** A rule that must hold over the whole database. */
interface Check {
  readonly name: string;
  /** The rule, as a sentence. */
  readonly holds: string;
  readonly parts: readonly Part[];
}

export const CHECKS: readonly Check[] = [
  {
    name: 'paid_is_allocated',
    holds: "Every bill's paid amount is the sum of its allocations.",
    parts: [
      {
        table: 'bill',
        sql: `SELECT b.id AS subject, 'paid ' || ${shillings('b.paid_amount')} || ', allocated ' || ${shillings('a.total')} AS detail
          FROM bill b CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS total FROM payment_allocation WHERE bill_id = b.id) a
          WHERE b.id = ANY ($ids) AND b.paid_amount <> a.total`,
      },
    ],
  },
  {
    name: 'reversed_is_taken_back',
    holds: "Every bill's reversed amount is the sum of the amounts that reversals and refunds took from it, including corrections.",
    parts: [
      {
        table: 'bill',
        sql: `SELECT b.id AS subject, 'reversed ' || ${shillings('b.reversed_amount')} || ', taken by reversals ' || ${shillings('r.total')} AS detail
          FROM bill b CROSS JOIN LATERAL (SELECT coalesce(-sum(a.amount), 0) AS total FROM payment_allocation a JOIN payment p ON p.id = a.payment_id
            LEFT JOIN payment_correction c ON c.id = p.id
            WHERE a.bill_id = b.id AND (p.kind IN ('reversal', 'refund') OR c.corrects_id <> c.payment_id)) r
          WHERE b.id = ANY ($ids) AND b.reversed_amount <> r.total`,
      },
    ],
  },
  {
    name: 'status_follows',
    holds: "Every bill's status matches its amount, its paid amount and its last status event.",
    parts: [
      {
        table: 'bill',
        sql: `SELECT b.id AS subject, b.status || ', last event ' || coalesce(e.type, 'none') AS detail
          FROM bill b LEFT JOIN LATERAL (SELECT type FROM bill_event WHERE bill_id = b.id AND type IN ${STATUS_EVENT} ORDER BY number DESC LIMIT 1) e ON true
          WHERE b.id = ANY ($ids) AND ('bill.' || lower(b.status::text) <> coalesce(e.type, 'bill.not_paid')
            OR b.status::text <> CASE WHEN b.paid_amount = 0 THEN 'NOT_PAID' WHEN b.paid_amount < b.amount THEN 'PARTIALLY_PAID' ELSE 'FULLY_PAID' END)`,
      },
    ],
  },
  {
    name: 'reserved_is_asked',
    holds: 'Every bill reserves exactly the amounts of its open attempts.',
    parts: [
      {
        table: 'bill',
        sql: `SELECT b.id AS subject, 'reserved ' || ${shillings('b.reserved_amount')} || ', open attempts ' || ${shillings('a.total')} AS detail
          FROM bill b CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS total FROM push_attempt
            WHERE bill_id = b.id AND state IN ${OPEN} AND released_at IS NULL) a
          WHERE b.id = ANY ($ids) AND b.reserved_amount <> a.total`,
      },
    ],
  },
  {
    name: 'payments_not_overspent',
    holds: 'No payment is allocated or reversed beyond what was received.',
    parts: [
      {
        table: 'payment',
        sql: `SELECT p.id AS subject, 'received ' || ${shillings('p.amount')} || ', allocated ' || ${shillings('a.total')} || ', reversed ' || ${shillings('r.total')} AS detail
          FROM (SELECT p.id, p.amount + coalesce((SELECT sum(k.amount) FROM payment_correction c JOIN payment k ON k.id = c.id
                                                  WHERE c.payment_id = p.id AND c.corrects_id = p.id), 0) AS amount
                FROM payment p WHERE p.id = ANY ($ids) AND p.kind = 'payment') p
          CROSS JOIN LATERAL (SELECT coalesce(sum(x.amount), 0) AS total FROM payment_allocation x
                              WHERE x.payment_id IN (SELECT p.id UNION ALL SELECT id FROM payment WHERE reverses_id = p.id
                                                     UNION ALL SELECT id FROM payment_correction WHERE payment_id = p.id)) a
          CROSS JOIN LATERAL (SELECT coalesce(sum(r.amount), 0) + coalesce((SELECT sum(k.amount) FROM payment_correction c JOIN payment k ON k.id = c.id
                                       JOIN payment e ON e.id = c.corrects_id WHERE c.payment_id = p.id AND e.kind = 'reversal'), 0) AS total
                              FROM payment r WHERE r.reverses_id = p.id AND r.kind = 'reversal') r
          WHERE a.total < 0 OR a.total > p.amount - r.total`,
      },
    ],
  },
  {
    name: 'corrections_named',
    holds: 'Every correction names a payment or its reversal, and leaves none below zero.',
    parts: [
      {
        table: 'payment',
        sql: `SELECT k.id AS subject, 'correction without a valid entry' AS detail FROM payment k LEFT JOIN payment_correction c ON c.id = k.id
          LEFT JOIN payment e ON e.id = c.corrects_id
          WHERE k.id = ANY ($ids) AND k.kind = 'correction' AND (e.id IS NULL OR coalesce(e.reverses_id, e.id) <> c.payment_id)
          UNION ALL SELECT e.id, 'corrected to ' || ${shillings('e.amount + k.total')} FROM payment e
          CROSS JOIN LATERAL (SELECT coalesce(sum(k.amount), 0) AS total FROM payment_correction c JOIN payment k ON k.id = c.id
            WHERE c.payment_id = coalesce(e.reverses_id, e.id) AND c.corrects_id = e.id) k
          WHERE e.id = ANY ($ids) AND e.amount + k.total < 0 AND k.total <> 0`,
      },
      {
        table: 'payment_correction',
        sql: `SELECT c.id AS subject, 'details without a correction' AS detail FROM payment_correction c JOIN payment k ON k.id = c.id
          WHERE c.id = ANY ($ids) AND k.kind <> 'correction'`,
      },
    ],
  },
  {
    name: 'one_environment',
    holds: 'A payment, its account, attempt or instrument, and bill have the same environment and merchant.',
    parts: [
      {
        table: 'payment_allocation',
        sql: `SELECT a.id AS subject, 'allocation of payment ' || p.id AS detail
          FROM payment_allocation a JOIN payment p ON p.id = a.payment_id JOIN bill b ON b.id = a.bill_id
          WHERE a.id = ANY ($ids) AND (a.environment <> b.environment OR p.environment <> b.environment OR a.merchant_id <> b.merchant_id)`,
      },
      {
        table: 'payment',
        sql: `SELECT p.id AS subject, 'payment of account ' || c.id AS detail
          FROM payment p JOIN provider_account c ON c.id = p.provider_account_id
          WHERE p.id = ANY ($ids) AND c.environment <> p.environment
          UNION ALL SELECT p.id, 'payment of instrument ' || i.id FROM payment p JOIN instrument i ON i.id = p.instrument_id
          WHERE p.id = ANY ($ids) AND (i.environment <> p.environment OR i.merchant_id IS DISTINCT FROM p.merchant_id)`,
      },
      {
        table: 'push_attempt',
        sql: `SELECT t.id AS subject, 'attempt on bill ' || b.id AS detail FROM push_attempt t JOIN bill b ON b.id = t.bill_id
          WHERE t.id = ANY ($ids) AND (t.environment <> b.environment OR t.merchant_id <> b.merchant_id)`,
      },
      {
        table: 'instrument',
        sql: `SELECT i.id AS subject, 'instrument on bill ' || b.id || ', of account ' || a.id AS detail
          FROM instrument i JOIN bill b ON b.id = i.bill_id JOIN provider_account a ON a.id = i.provider_account_id
          WHERE i.id = ANY ($ids) AND (i.merchant_id <> b.merchant_id OR i.environment <> b.environment OR a.environment <> i.environment
            OR coalesce(a.merchant_id, i.merchant_id) <> i.merchant_id)`,
      },
    ],
  },
  {
    name: 'success_has_money',
    holds: 'Every succeeded attempt has a payment or a review that explains why not, and no other attempt has a payment.',
    parts: [
      {
        table: 'push_attempt',
        sql: `SELECT t.id AS subject, 'succeeded without a payment' AS detail FROM push_attempt t
          WHERE t.id = ANY ($ids) AND t.state = 'SUCCEEDED' AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.attempt_id = t.id)
            AND NOT EXISTS (SELECT 1 FROM bill_event e WHERE e.bill_id = t.bill_id AND e.type = 'payment.recorded' AND e.data->>'attempt' = t.id::text)
            AND NOT EXISTS (SELECT 1 FROM payment_allocation a JOIN payment p ON p.id = a.payment_id WHERE a.bill_id = t.bill_id
              AND p.attempt_id IS NULL AND p.instrument_id IS NULL)
            AND NOT EXISTS (SELECT 1 FROM review r WHERE r.attempt_id = t.id AND r.kind = 'receipt_conflict')
          UNION ALL SELECT t.id, 'has a payment and is ' || t.state FROM push_attempt t
          WHERE t.id = ANY ($ids) AND t.state NOT IN ('SUCCEEDED', 'CANCELLED') AND EXISTS (SELECT 1 FROM payment p WHERE p.attempt_id = t.id)`,
      },
    ],
  },
  {
    name: 'instrument_money_booked',
    holds: 'Every payment of an instrument was allocated to the bill of the instrument.',
    parts: [
      {
        table: 'payment',
        sql: `SELECT p.id AS subject, 'paid for bill ' || i.bill_id AS detail FROM payment p JOIN instrument i ON i.id = p.instrument_id
          WHERE p.id = ANY ($ids) AND p.kind = 'payment'
            AND NOT EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = p.id AND a.bill_id = i.bill_id AND a.amount = p.amount)`,
      },
    ],
  },
  {
    name: 'events_numbered',
    holds: "Every bill's events are numbered without gaps.",
    parts: [
      {
        table: 'bill',
        sql: `SELECT b.id AS subject, 'event_count ' || b.event_count || ', but ' || e.n || ' up to ' || e.last AS detail
          FROM bill b CROSS JOIN LATERAL (SELECT count(*) AS n, coalesce(max(number), 0) AS last FROM bill_event WHERE bill_id = b.id) e
          WHERE b.id = ANY ($ids) AND (b.event_count <> e.n OR b.event_count <> e.last)`,
      },
    ],
  },
  {
    name: 'changes_announced',
    holds: 'Every status change has one webhook delivery and one entry in the event feed, and there are no others.',
    parts: [
      {
        table: 'bill',
        sql: `SELECT e.bill_id AS subject, 'event ' || e.number || ' has no delivery' AS detail
          FROM bill_event e
          WHERE e.bill_id = ANY ($ids) AND e.type IN ${STATUS_EVENT} AND NOT EXISTS (
            SELECT 1 FROM webhook_delivery d JOIN event_feed_entry f ON f.delivery_id = d.id WHERE d.bill_id = e.bill_id AND d.event_number = e.number)`,
      },
      {
        table: 'webhook_delivery',
        sql: `SELECT d.bill_id AS subject, 'delivery ' || d.id || ' has no matching status event' AS detail FROM webhook_delivery d
          WHERE d.id = ANY ($ids) AND NOT EXISTS (
            SELECT 1 FROM bill_event e WHERE e.bill_id = d.bill_id AND e.number = d.event_number AND e.type = 'bill.' || lower(d.bill_status::text))`,
      },
    ],
  },
  {
    name: 'open_has_next_step',
    holds: 'Every open attempt, refund, instrument and delivery is due, waits for a person, or has an open review.',
    parts: [
      {
        table: 'push_attempt',
        sql: `SELECT t.id AS subject, 'attempt is ' || t.state || ' and not due' AS detail FROM push_attempt t
          WHERE t.id = ANY ($ids) AND t.state IN ${OPEN} AND t.due_at IS NULL
            AND NOT (t.state = 'UNKNOWN' AND EXISTS (SELECT 1 FROM review r WHERE r.attempt_id = t.id AND r.kind = 'attempt_unresolved' AND r.resolved_at IS NULL))`,
      },
      {
        table: 'refund',
        sql: `SELECT q.id AS subject, 'refund is ' || q.state || ' and not due' AS detail FROM refund q
          WHERE q.id = ANY ($ids) AND q.state IN ('QUEUED', 'SENDING', 'UNKNOWN') AND q.due_at IS NULL
            AND NOT (q.state = 'UNKNOWN' AND EXISTS (
              SELECT 1 FROM review r WHERE r.reversal_request_id = q.id AND r.kind = 'refund_unresolved' AND r.resolved_at IS NULL))`,
      },
      {
        table: 'instrument',
        sql: `SELECT i.id AS subject, 'instrument is ' || i.state || ' and not due' AS detail FROM instrument i
          WHERE i.id = ANY ($ids) AND i.state <> 'ENDED' AND i.due_at IS NULL`,
      },
      {
        table: 'webhook_delivery',
        sql: `SELECT d.id AS subject, 'delivery is ' || d.state || ' and no earlier delivery is open' AS detail FROM webhook_delivery d
          WHERE d.id = ANY ($ids) AND d.state = 'BLOCKED' AND NOT EXISTS (
            SELECT 1 FROM webhook_delivery o WHERE o.endpoint_id = d.endpoint_id AND o.bill_id = d.bill_id AND o.state IN ('PENDING', 'SENDING') AND o.ordered)`,
      },
    ],
  },
  {
    name: 'refunds_booked',
    holds:
      'Every refund that is done is in the ledger, with the requested amount unless a person settled it, and the ledger has no others.',
    parts: [
      {
        table: 'refund',
        sql: `SELECT DISTINCT q.payment_id AS subject, s.n || ' done, ' || r.n || ' in the ledger' AS detail FROM refund q
          CROSS JOIN LATERAL (SELECT count(*) AS n FROM refund WHERE payment_id = q.payment_id AND state = 'DONE') s
          CROSS JOIN LATERAL (SELECT count(*) AS n FROM payment WHERE reverses_id = q.payment_id) r
          WHERE q.id = ANY ($ids) AND q.state = 'DONE' AND s.n > r.n
          UNION ALL SELECT q.id, 'requested ' || ${shillings('q.amount')} || ', but no entry of payment ' || q.payment_id || ' has this amount' FROM refund q
          WHERE q.id = ANY ($ids) AND q.state = 'DONE' AND NOT EXISTS (SELECT 1 FROM payment r WHERE r.reverses_id = q.payment_id AND r.amount = q.amount
              AND r.id = coalesce(q.entry_id, r.id))
            AND NOT EXISTS (SELECT 1 FROM audit_entry e WHERE e.action IN ('refund.settled', 'reversal.settled') AND e.subject = q.id::text)`,
      },
      {
        table: 'payment',
        sql: `SELECT p.id AS subject, 'a refund that nobody asked for' AS detail FROM payment p
          WHERE p.id = ANY ($ids) AND p.kind = 'refund' AND NOT EXISTS (SELECT 1 FROM refund q WHERE q.entry_id = p.id)`,
      },
    ],
  },
  {
    name: 'ledger_protected',
    holds: 'The triggers that protect the ledger and the audit log exist and are enabled.',
    parts: [
      {
        table: null,
        sql: `SELECT name AS subject, 'is missing or disabled' AS detail FROM unnest(ARRAY[${TRIGGER_NAMES.join(', ')}]) name
          WHERE NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = to_regclass(quote_ident(split_part(name, '.', 1)))
            AND t.tgname = split_part(name, '.', 2) AND t.tgenabled IN ('O', 'A'))`,
      },
    ],
  },
];

const COLUMNS = { subject: auditEntry.subject, detail: text, total: int4 };
const PARTS = CHECKS.flatMap(({ name, parts }) =>
  parts.map(({ table, sql }) => {
    const found = `SELECT subject::text, detail, count(*) OVER ()::int AS total FROM (${sql}) found LIMIT ${SHOWN}`;
    return {
      name,
      table,
      statement: variant({
        name: `verify that ${name} in ${table}`,
        text: found,
        parameters: table ? { ids: array(uuid) } : {},
        columns: COLUMNS,
      }),
    };
  }),
);
registerVariants(PARTS.map(({ statement }) => statement));

/** The violations of one check: how many, and the first ones. */
export type Breach = {
  readonly name: string;
  readonly count: number;
  readonly first: readonly { readonly subject: string; readonly detail: string }[];
};

/** Returns the violations by rows of a table. @param table null for the checks that are one query. */
export async function findBreaches(db: Queryable, table: Table | null, ids: readonly string[]): Promise<Breach[]> {
  const breaches: Breach[] = [];
  for (const { name, statement } of PARTS.filter((part) => part.table === table)) {
    const rows = await statement.rows(db, { ids });
    const count = rows[0]?.total ?? 0;
    if (count > 0) breaches.push({ name, count, first: rows.map(({ subject, detail }) => ({ subject, detail })) });
  }
  return breaches;
}

const PAGES = Object.fromEntries(
  TABLES.map((table) => {
    const hasBill = table === 'payment_allocation' || table === 'push_attempt';
    return [
      table,
      variant({
        name: `list the next rows of ${table} to verify`,
        text: `SELECT id, ${hasBill ? 'bill_id' : 'NULL::uuid'} AS "billId" FROM ${table} WHERE id > $after ORDER BY id LIMIT $limit`,
        parameters: { after: uuid, limit: int8 },
        columns: { id: bill.id, billId: hasBill ? uuid : nullable(uuid) },
      }),
    ];
  }),
);
registerVariants(Object.values(PAGES));

/** Lists the ids of the next rows of a table, in their order, and the bills of allocations and attempts. */
export async function listNextRows(db: Queryable, table: Table, after: string, limit: number) {
  return (await PAGES[table]?.rows(db, { after, limit: BigInt(limit) })) ?? [];
}

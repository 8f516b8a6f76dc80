import { rewindSources } from '@/lib/backoffice/search/index-search';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { rollup } from '@/lib/platform/db/generated/tables';
import { date, text } from '@/lib/platform/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/platform/db/statement';
import { withSession } from '@/lib/platform/db/with-session';
import type { Runtime } from '@/lib/platform/runtime/runtime';

/** Thirteen months: a whole year and one more month, so that each month of the year can be compared with the month before it. */
const SPAN_DAYS = 396;
const BATCH = 20_000;
/** Number of batches that run at the same time. Batches create different bills, so they do not block each other. */
const TOGETHER = 2;
const TAG_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A batch of sample bills that are close to each other in time. One transaction creates it. */
interface Batch {
  /** A part of every reference and receipt number of this run, so that they differ from those of other runs. */
  readonly tag: string;
  /** `first` and `last`: the numbers of the first and last bill of the batch. `of`: how many bills the run creates in all batches. */
  readonly first: number;
  readonly last: number;
  readonly of: number;
  readonly from: Date;
  readonly to: Date;
  readonly uniqueReferences: boolean;
}

/** Returns SQL for a UUIDv7 of an instant. The same seed gives the same id. */
const uuid7 = (at: string, seed: string) =>
  `(lpad(to_hex(floor(extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${seed}), 1, 3) || 'a' || substr(md5(${seed}), 4, 15))::uuid`;

/**
 * Returns SQL that chooses a text by weight. The weights add up to 1.
 * @param chance SQL for a number from 0 to 1. The SQL is evaluated several times, so it must not be `random()`.
 */
function pick(chance: string, weights: Readonly<Record<string, number>>): string {
  let upTo = 0;
  const cases = Object.entries(weights).map(([name, weight]) => {
    upTo += weight;
    return `WHEN ${chance} < ${upTo.toFixed(4)} THEN '${name}'`;
  });
  return `(CASE ${cases.join(' ')} ELSE '${Object.keys(weights)[0]}' END)`;
}

const NETWORK = pick('network', { vodacom: 0.44, yas: 0.26, airtel: 0.21, halotel: 0.085, ttcl: 0.005 });
const STORY = pick('story', { paid: 0.62, paid_again: 0.12, part: 0.03, failed: 0.08, failed_twice: 0.03, expired: 0.04, untouched: 0.08 });
const REASON = pick('reason', {
  user_cancelled: 0.34,
  insufficient_funds: 0.24,
  wrong_pin: 0.16,
  user_timeout: 0.12,
  provider_unavailable: 0.07,
  limit_exceeded: 0.04,
  mobile_not_registered: 0.03,
});
const PREFIXES = `CASE network WHEN 'vodacom' THEN '747576' WHEN 'yas' THEN '656771' WHEN 'airtel' THEN '686978' WHEN 'halotel' THEN '626262' ELSE '737373' END`;

/** The customers of invoices and school fees. Orders have no name. */
const NAMES = `ARRAY['Asha Juma', 'Neema Mushi', 'Baraka Kimaro', 'Fatuma Said', 'Emmanuel Massawe', 'Rehema Mwinyi', 'Joseph Mrema', 'Zainab Hamisi']`;

/** What happens to each bill, at random. Recent months and daytime have more bills. An attempt of the last hours may be unknown. */
const BILLS = `
CREATE TEMPORARY TABLE made ON COMMIT DROP AS
WITH dice AS MATERIALIZED (
  SELECT n, random() AS story, random() AS network, random() AS prefix, random() AS reason, random() AS amount, random() AS customer,
    random() AS kind, random() AS closed, random() + random() AS hours, random() AS minutes,
    $5::timestamptz + ($6::timestamptz - $5::timestamptz) * power(n::float8 / $4::int, 0.85) AS rough
  FROM generate_series($2::int, $3::int) n
), dated AS (
  SELECT *, date_trunc('milliseconds', CASE WHEN rough < $6::timestamptz - interval '1 day'
    THEN date_trunc('day', rough) + interval '4 hours' + interval '7 hours' * hours + interval '1 minute' * minutes ELSE rough END) AS at
  FROM dice
), told AS (
  SELECT n, at, reason, prefix, customer, kind, closed, ${NETWORK} AS network,
    CASE WHEN at > $6::timestamptz - interval '2 hours' AND reason < 0.1 THEN 'unknown' ELSE ${STORY} END AS story,
    round(exp(7.3 + 5 * amount) / 500)::bigint * 50000 AS amount
  FROM dated
)
SELECT n, at, story, amount, ${uuid7('at', '$1::text || n')} AS id, ${REASON} AS reason,
  CASE WHEN kind < 0.7 THEN 'ORD-' || $1 || '-' || lpad(n::text, 7, '0')
       WHEN kind < 0.92 THEN 'INV-' || to_char(at, 'YYYY-MM') || '-' || $1 || lpad(n::text, 7, '0')
       ELSE 'Ada ya shule ' || $1 || n END AS reference,
  CASE WHEN kind >= 0.7 THEN (${NAMES})[1 + floor(customer * array_length(${NAMES}, 1))::int] END AS customer_name,
  CASE WHEN kind >= 0.92 THEN 'Ada ya muhula wa ' || 1 + n % 2 END AS description,
  CASE WHEN kind >= 0.7 THEN date_trunc('day', at + interval '14 days', 'Africa/Dar_es_Salaam') + interval '1 day' - interval '1 millisecond' END AS due_at,
  network,
  CASE WHEN story <> 'untouched'
    THEN '0' || substr(${PREFIXES}, 1 + 2 * floor(prefix * 3)::int, 2) || lpad(floor(power(customer, 2) * 100000)::text, 5, '0') || '77' END AS mobile,
  CASE story WHEN 'paid' THEN amount WHEN 'paid_again' THEN amount WHEN 'part' THEN amount / 200 * 100 ELSE 0 END AS paid,
  CASE WHEN story = 'untouched' THEN 0 WHEN story IN ('paid_again', 'failed_twice') THEN 2 ELSE 1 END AS tries,
  CASE story WHEN 'failed_twice' THEN 'FAILED' WHEN 'failed' THEN 'FAILED' WHEN 'expired' THEN 'EXPIRED' WHEN 'unknown' THEN 'UNKNOWN' ELSE 'SUCCEEDED' END AS ends,
  at + interval '25 seconds' + CASE WHEN story IN ('paid_again', 'failed_twice') THEN interval '4 minutes' ELSE interval '0' END AS settled,
  CASE WHEN story IN ('untouched', 'failed_twice') AND closed < 0.3 AND at < $6::timestamptz - interval '3 days' THEN at + interval '2 days' END AS closed_at
FROM told`;

const TRIES = `
CREATE TEMPORARY TABLE tried ON COMMIT DROP AS
SELECT m.n, m.id AS bill_id, k, m.mobile, m.network, m.amount, m.reason, at.created, CASE WHEN k < m.tries THEN 'FAILED' ELSE m.ends END AS state,
  ${uuid7('at.created', "$1::text || m.n || 't' || k")} AS id, upper(substr(md5($1 || m.n || 'r' || k), 1, 20)) AS our_reference
FROM made m CROSS JOIN LATERAL generate_series(1, m.tries) k
CROSS JOIN LATERAL (SELECT m.at + interval '4 minutes' * (k - 1) AS created) at`;

const STATUS = `CASE WHEN paid = 0 THEN 'NOT_PAID' WHEN paid < amount THEN 'PARTIALLY_PAID' ELSE 'FULLY_PAID' END`;
/** The simulated provider's account, which the migrations create. */
const ACCOUNT = `'00000000-0000-7000-8000-5a0db0c00001'::uuid`;
const PAYMENT_ID = uuid7('settled', "$3::text || n || 'p'");
/**
 * The number of events of a paid bill: one event for its creation, one for a single attempt or three for two attempts, and two for its
 * payment.
 */
const LAST_EVENT = 'greatest(2 * tries, 1) + 2';

const INSERTS: readonly string[] = [
  `INSERT INTO bill (id, merchant_id, environment, amount, reference, unique_reference, mobile, paid_amount, reserved_amount, status, event_count, created_at, paid_at, closed_at,
     customer_name, description, due_at)
   SELECT id, $1, $2, amount, reference, CASE WHEN $4::boolean THEN reference END, mobile, paid, CASE ends WHEN 'UNKNOWN' THEN amount ELSE 0 END, (${STATUS})::bill_status,
     1 + greatest(2 * tries - 1, 0) + CASE WHEN paid > 0 THEN 2 ELSE 0 END, at, CASE WHEN paid = amount THEN settled END, closed_at,
     customer_name, description, due_at FROM made WHERE $3::text <> ''`,
  `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, provider_account_id, source, mobile, network, amount, our_reference, provider_reference, state, failure_reason,
     send_count, due_at, created_at, sent_at, unknown_since, settled_at)
   SELECT id, $1, $2, bill_id, ${ACCOUNT}, (CASE k WHEN 1 THEN 'api' ELSE 'web' END)::attempt_source, mobile, network, amount, our_reference, our_reference, state::attempt_state,
     CASE state WHEN 'FAILED' THEN reason END, 1, CASE state WHEN 'UNKNOWN' THEN now() + interval '6 hours' END, created, created + interval '1 second',
     CASE state WHEN 'UNKNOWN' THEN created + interval '1 minute' END, CASE WHEN state <> 'UNKNOWN' THEN created + interval '25 seconds' END
   FROM tried WHERE $3::text <> '' AND $4::boolean IS NOT NULL`,
  `INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
   SELECT id, 1, $1::uuid, $2::environment, 'bill.created', jsonb_build_object('by', 'demo'), at FROM made WHERE $4::boolean IS NOT NULL
   UNION ALL SELECT bill_id, 2 * k, $1, $2, 'attempt.' || lower(state), jsonb_build_object('attempt', id, 'source', 'callback') ||
     CASE state WHEN 'FAILED' THEN jsonb_build_object('reason', reason) ELSE '{}' END, created + interval '25 seconds' FROM tried
   UNION ALL SELECT bill_id, 3, $1, $2, 'attempt.queued', jsonb_build_object('attempt', id, 'source', 'web'), created FROM tried WHERE k = 2
   UNION ALL SELECT m.id, ${LAST_EVENT} - 1, $1, $2, 'payment.recorded', jsonb_build_object('attempt', t.id, 'source', 'callback', 'transactionId', 'B' || $3 || lpad(m.n::text, 7, '0'),
     'amount', m.paid::text, 'payment', ${PAYMENT_ID.replaceAll('|| n ||', '|| m.n ||')}) || CASE WHEN m.paid < m.amount THEN jsonb_build_object('asked', m.amount::text) ELSE '{}' END, settled
   FROM made m JOIN tried t ON t.bill_id = m.id AND t.k = m.tries WHERE m.paid > 0
   UNION ALL SELECT id, ${LAST_EVENT}, $1, $2, 'bill.' || lower(${STATUS}), jsonb_build_object('paidAmount', paid::text), settled FROM made WHERE paid > 0`,
  `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, attempt_id, amount, mobile, amount_differs, recorded_at)
   SELECT ${PAYMENT_ID.replaceAll('|| n ||', '|| m.n ||')}, $2, $1, ${ACCOUNT}, 'B' || $3 || lpad(m.n::text, 7, '0'), 'payment', t.id, m.paid, m.mobile, m.paid < m.amount, settled
   FROM made m JOIN tried t ON t.bill_id = m.id AND t.k = m.tries WHERE m.paid > 0 AND $4::boolean IS NOT NULL`,
  `INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
   SELECT ${uuid7('settled', "$3::text || n || 'a'")}, $1, $2, ${PAYMENT_ID}, id, paid, 'gateway', settled FROM made WHERE paid > 0 AND $4::boolean IS NOT NULL`,
  `WITH owed AS (
     INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, attempt_count, created_at, last_attempt_at, delivered_at, settled_at)
     SELECT ${uuid7('settled', "$3::text || n || 'd'")}, $1, $2, e.id, m.id, ${LAST_EVENT}, (${STATUS})::bill_status,
       convert_to('{"bill":{"id":"' || m.id || '","mobile":"' || mobile || '","amount":' || amount / 100 || '.0,"status":"' || ${STATUS} || '","reference":' || to_json(reference) || '}}', 'UTF8'),
       (CASE WHEN e.url IS NULL THEN 'UNSENT' ELSE 'DELIVERED' END)::delivery_state, CASE WHEN e.url IS NULL THEN 0 ELSE 1 END, settled, sent.at, sent.at, sent.at
     FROM made m JOIN webhook_endpoint e ON e.merchant_id = $1 AND e.environment = $2
     CROSS JOIN LATERAL (SELECT CASE WHEN e.url IS NOT NULL THEN settled + interval '1 second' END AS at) sent
     WHERE paid > 0 AND $4::boolean IS NOT NULL
     RETURNING id, merchant_id, environment, created_at, event_number)
   INSERT INTO event_feed_entry (delivery_id, merchant_id, environment, created_at, event_number) SELECT id, merchant_id, environment, created_at, event_number FROM owed`,
];

const MORE_MEMORY = statement({
  name: 'use more memory for a batch',
  text: "SELECT set_config('work_mem', '64MB', true) AS memory",
  columns: { memory: text },
});

/** Creates a batch of sample bills. All constraints and triggers of the ledger apply. */
async function insertBatch(
  tx: Queryable,
  { merchantId, environment }: Scope,
  { tag, first, last, of, from, to, uniqueReferences }: Batch,
): Promise<void> {
  await MORE_MEMORY.rows(tx, {});
  // These are not declared statements, because they use temporary tables of this transaction.
  await tx.query({ text: BILLS }, [tag, first, last, of, from, to]);
  await tx.query({ text: TRIES }, [tag]);
  await tx.query({ text: 'ANALYZE made, tried' });
  for (const text of INSERTS) await tx.query({ text }, [merchantId, environment, tag, uniqueReferences]);
}

const TABLES = ['bill', 'push_attempt', 'bill_event', 'payment', 'payment_allocation', 'webhook_delivery', 'event_feed_entry'] as const;

const tidy = (table: (typeof TABLES)[number]) => variant({ name: 'tidy a table', text: `VACUUM (ANALYZE) ${table}` });
registerVariants(TABLES.map(tidy));

/**
 * Updates the planner's statistics. Autovacuum would update them only later.
 * @param ownerUrl the database as its owner. For another role, PostgreSQL skips the tables with a warning.
 */
async function tidyTables(ownerUrl: string): Promise<void> {
  await withSession(ownerUrl, 'writes', async (session) => {
    for (const table of TABLES) await session.query(tidy(table).text);
  });
}

/** Marks the days of the sample bills as stale, so that the overview calculates them again. */
const MARK_DAYS = statement({
  name: 'mark days that demo bills are in',
  text: `INSERT INTO stale_day (merchant_id, environment, day)
         SELECT merchant_id, environment, day::date FROM rollup, generate_series($from::date, $to::date, '1 day') day
         WHERE merchant_id = $merchantId AND environment = $environment`,
  parameters: { merchantId: rollup.merchantId, environment: rollup.environment, from: date, to: date },
});

interface SeedBillsOptions {
  readonly scope: Scope;
  readonly uniqueReferences: boolean;
  readonly bills: number;
  /** Called after each batch with the number of bills so far. */
  readonly onProgress: (made: number) => void;
}

/**
 * Creates sample bills with their attempts, payments, allocations, events and webhooks (which are not sent), to try the product with many
 * bills. Fails in live. If the process is interrupted, the bills that it has created remain.
 */
export async function seedBills(
  { db, clock, random, settings }: Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>,
  { scope, uniqueReferences, bills, onProgress }: SeedBillsOptions,
): Promise<Result<{ readonly made: number }, 'live'>> {
  if (scope.environment === 'live') return fail('live');
  const to = clock();
  const from = addMs(to, -SPAN_DAYS * DAY_MS);
  const tag = Array.from(random(4), (byte) => TAG_LETTERS[byte % TAG_LETTERS.length]).join('');
  const firsts = Array.from({ length: Math.ceil(bills / BATCH) }, (_, index) => index * BATCH + 1).values();
  let made = 0;
  const work = async () => {
    for (const first of firsts) {
      const last = Math.min(first + BATCH - 1, bills);
      await db.transaction((tx) => insertBatch(tx, scope, { tag, first, last, of: bills, from, to, uniqueReferences }), {
        unlimited: true,
      });
      made += last - first + 1;
      onProgress(made);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  const dayOf = (at: Date) => at.toISOString().slice(0, 10);
  await MARK_DAYS.rows(db, { ...scope, from: dayOf(from), to: dayOf(to) });
  await tidyTables(settings.MIGRATE_DATABASE_URL ?? settings.DATABASE_URL);
  // Workers write search entries in the order of the bills' ids, and have already passed the ids of these bills, which lie in the past. So
  // the workers must start again at the oldest of them.
  await rewindSources(db, lowestId(from.getTime()));
  return ok({ made });
}

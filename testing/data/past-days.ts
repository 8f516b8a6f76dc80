import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';

interface PastDaysOptions {
  /** The number of bills. Each has one attempt, and seven of ten are paid. */
  readonly bills: number;
  /** The bills are created evenly over this number of days before `now`, the newest bill first. */
  readonly days: number;
  readonly now: Date;
}

/** The sandbox account, which the migration creates. */
const ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
const BATCH = 20_000;

/** Returns SQL for a UUIDv7 of an instant, whose remaining bits come from a text. */
const idOf = (at: string, text: string) =>
  `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${text}), 1, 3) || '8' || substr(md5(${text}), 4, 15))::uuid`;

/** Creates past bills with attempts and payments by a few SQL statements. The ledger's constraints apply. */
export async function makePastDays(
  db: Queryable,
  { merchantId, environment }: Scope,
  { bills, days, now }: PastDaysOptions,
): Promise<void> {
  for (let from = 1; from <= bills; from += BATCH) {
    await db.query(
      {
        text: `
WITH made AS MATERIALIZED (
  SELECT n, t.at, t.at + interval '10 s' * (1 + n % 40) AS ended, (100 + (n * 37) % 900) * 1000::bigint AS amount, (n * 7) % 10 AS fate,
    (ARRAY['vodacom', 'vodacom', 'vodacom', 'yas', 'yas', 'airtel', 'airtel', 'halotel'])[1 + n % 8] AS network
  FROM generate_series($3::int, $4::int) n CROSS JOIN LATERAL (SELECT $5::timestamptz - interval '10 minutes' - $6::int * interval '1 day' * (n::float8 / $7::int) AS at) t
), bills AS (
  INSERT INTO bill (id, merchant_id, environment, amount, reference, mobile, paid_amount, status, created_at, paid_at)
  SELECT ${idOf('at', "'b' || n || $1::text")}, $1::uuid, $2, amount, 'PAST-' || n, '0712345001', CASE WHEN fate < 7 THEN amount ELSE 0 END,
    (CASE WHEN fate < 7 THEN 'FULLY_PAID' ELSE 'NOT_PAID' END)::bill_status, at, CASE WHEN fate < 7 THEN ended END
  FROM made
), attempts AS (
  INSERT INTO push_attempt (id, merchant_id, environment, bill_id, provider_account_id, source, mobile, network, amount, our_reference, state, failure_reason, created_at, sent_at, settled_at)
  SELECT ${idOf('at', "'a' || n || $1::text")}, $1::uuid, $2, ${idOf('at', "'b' || n || $1::text")}, '${ACCOUNT}', 'api', '0712345001', network, amount,
    upper(substr(md5('r' || n || $1::text), 1, 20)), (CASE WHEN fate < 7 THEN 'SUCCEEDED' WHEN fate = 9 THEN 'EXPIRED' ELSE 'FAILED' END)::attempt_state,
    CASE fate WHEN 7 THEN (ARRAY['wrong_pin', 'user_cancelled', 'provider_unavailable'])[1 + n % 3] WHEN 8 THEN 'insufficient_funds' END, at, at, ended
  FROM made
), payments AS (
  INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, attempt_id, amount, mobile, recorded_at)
  SELECT ${idOf('ended', "'p' || n || $1::text")}, $2, $1::uuid, '${ACCOUNT}', 'PAST' || n || $1::text, 'payment', ${idOf('at', "'a' || n || $1::text")}, amount,
    '0712345001', ended FROM made WHERE fate < 7
)
INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
SELECT ${idOf('ended', "'l' || n || $1::text")}, $1::uuid, $2, ${idOf('ended', "'p' || n || $1::text")}, ${idOf('at', "'b' || n || $1::text")}, amount, 'gateway', ended
FROM made WHERE fate < 7`,
      },
      [merchantId, environment, from, Math.min(from + BATCH - 1, bills), now, days, bills],
    );
  }
  // The daily totals may already cover these days, so they are computed again. The product need not do this, because it never creates
  // bills in the past.
  await db.query(
    { text: 'UPDATE rollup SET covered_to = NULL, hours_to = NULL, due_at = $3 WHERE merchant_id = $1 AND environment = $2' },
    [merchantId, environment, now],
  );
}

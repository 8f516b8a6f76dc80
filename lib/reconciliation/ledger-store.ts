import { z } from 'zod';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, boolean, environment, int4, int8, jsonb, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { correctedAmount } from '@/lib/payments/ledger/correction-store';
import { paymentKind } from '@/lib/payments/sql-types';
import { CHARGED_THOUGH_REFUSED } from '@/lib/reviews/rules';
import type { Action, LedgerEntry } from './rules';
import { moneyKindSchema } from './sql-types';

/**
 * SQL for the time at which the money of the ledger entry `p` moved: the provider's time if it is known, otherwise the time at which Bili
 * recorded the entry. A provider's time can be some hours before the other one, and clocks differ by some minutes.
 */
export const HAPPENED_AT = 'coalesce(p.happened_at, p.recorded_at)';

/** An account, and all accounts of the same owner at the same provider, which share a till. */
export type StatementAccount = NonNullable<Awaited<ReturnType<typeof findStatementAccount>>>;

const FIND_STATEMENT_ACCOUNT = statement({
  name: 'find the accounts of a statement',
  text: `SELECT a.id, a.environment, a.merchant_id AS "merchantId", a.provider,
           array(SELECT b.id::text FROM provider_account b
                 WHERE b.provider = a.provider AND b.environment = a.environment AND b.merchant_id IS NOT DISTINCT FROM a.merchant_id
                 ORDER BY b.id <> a.id, b.id) AS accounts,
           array(SELECT b.id::text FROM provider_account b
                 WHERE b.provider = a.provider AND b.environment = a.environment AND b.merchant_id IS NOT DISTINCT FROM a.merchant_id
                   AND (b.networks && a.networks OR b.networks = a.networks) ORDER BY b.id) AS renewals
         FROM provider_account a WHERE a.id = $id`,
  parameters: { id: uuid },
  columns: {
    id: uuid,
    environment,
    merchantId: nullable(uuid),
    provider: text,
    /** The ids of all accounts of the same owner at the same provider, this account first. */
    accounts: array(text),
    /**
     * The ids of those accounts that serve one of the same networks, this account included. Two accounts cannot serve a network at the same
     * time, so one has replaced the other.
     */
    renewals: array(text),
  },
});

export async function findStatementAccount(db: Queryable, id: string) {
  return FIND_STATEMENT_ACCOUNT.first(db, { id });
}

const FIND_ENTRIES = statement({
  name: 'find entries of the ledger',
  text: `WITH found AS (
           SELECT id, provider_transaction_id AS transaction_id FROM payment
           WHERE till_id = (SELECT till_id FROM provider_account WHERE id = ($accounts::uuid[])[1]) AND provider_transaction_id = ANY ($transactionIds::text[])
           UNION ALL SELECT n.payment_id, n.provider_transaction_id FROM reversal_receipt n JOIN payment r ON r.id = n.payment_id
           WHERE r.provider_account_id = ANY ($accounts::uuid[]) AND n.provider_transaction_id = ANY ($transactionIds::text[]))
         SELECT p.id AS "paymentId", p.kind, p.attempt_id AS "attemptId", found.transaction_id AS "transactionId", ${correctedAmount('p')} AS amount,
           p.attempt_id IS NULL AND NOT EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = p.id)
             AND NOT EXISTS (SELECT 1 FROM payment r WHERE r.reverses_id = p.id)
             AND NOT EXISTS (SELECT 1 FROM refund_mark m WHERE m.payment_id = p.id) AS untouched
         FROM found JOIN payment p ON p.id = found.id`,
  parameters: { accounts: array(uuid), transactionIds: array(text) },
  columns: { paymentId: uuid, kind: paymentKind, attemptId: nullable(uuid), transactionId: text, amount: int8, untouched: boolean },
});

/** Returns the ledger entries with these receipt numbers, by `entryKey`. One query reads all of them. */
export async function findEntries(
  db: Queryable,
  accounts: readonly string[],
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, LedgerEntry>> {
  const rows = await FIND_ENTRIES.rows(db, { accounts, transactionIds });
  const entries = rows.flatMap((row): LedgerEntry[] => {
    const { data: kind } = moneyKindSchema.safeParse(row.kind);
    return kind ? [{ ...row, kind }] : [];
  });
  return new Map(entries.map((entry) => [entryKey(entry), entry]));
}

export function entryKey({ kind, transactionId }: Pick<LedgerEntry, 'kind' | 'transactionId'>): string {
  return `${kind} ${transactionId}`;
}

const FIND_ATTEMPTS = statement({
  name: 'find attempts by our references',
  text: `SELECT id, bill_id AS "billId", provider_account_id AS "accountId", our_reference AS "ourReference"
         FROM push_attempt WHERE our_reference = ANY ($references::text[]) AND provider_account_id = ANY ($accounts::uuid[])`,
  parameters: { accounts: array(uuid), references: array(text) },
  columns: { id: uuid, billId: uuid, accountId: neverNull(uuid), ourReference: text },
});

export type ReferencedAttempt = Awaited<ReturnType<typeof FIND_ATTEMPTS.rows>>[number];

/** Returns the attempts of these accounts that have one of these references, by reference. */
export async function findAttempts(
  db: Queryable,
  accounts: readonly string[],
  references: readonly string[],
): Promise<ReadonlyMap<string, ReferencedAttempt>> {
  const attempts = await FIND_ATTEMPTS.rows(db, { accounts, references });
  return new Map(attempts.map((attempt) => [attempt.ourReference, attempt]));
}

const KNOWN_RECEIPTS = statement({
  name: 'find receipt numbers of the ledger',
  text: `SELECT provider_transaction_id AS "transactionId" FROM payment
         WHERE till_id = (SELECT till_id FROM provider_account WHERE id = ($accounts::uuid[])[1]) AND kind IN ('payment', 'reversal')
           AND provider_transaction_id = ANY ($transactionIds::text[])
         UNION SELECT n.provider_transaction_id FROM reversal_receipt n JOIN payment r ON r.id = n.payment_id
         WHERE r.provider_account_id = ANY ($accounts::uuid[]) AND n.provider_transaction_id = ANY ($transactionIds::text[])`,
  parameters: { accounts: array(uuid), transactionIds: array(text) },
  columns: { transactionId: neverNull(text) },
});

/** Returns which of the receipt numbers the ledger has. */
export async function findKnownReceipts(
  db: Queryable,
  accounts: readonly string[],
  transactionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await KNOWN_RECEIPTS.rows(db, { accounts, transactionIds })).map(({ transactionId }) => transactionId));
}

const LIST_SHARES = statement({
  name: 'list the bills and the attempt of a payment',
  text: `SELECT t.bill_id AS "attemptBillId", array(SELECT a.bill_id::text FROM payment_allocation a
           WHERE a.payment_id IN (SELECT p.id UNION ALL SELECT id FROM payment WHERE reverses_id = p.id
                                  UNION ALL SELECT id FROM payment_correction WHERE payment_id = p.id)
           GROUP BY a.bill_id HAVING sum(a.amount) > 0) AS "billIds"
         FROM payment p LEFT JOIN push_attempt t ON t.id = p.attempt_id WHERE p.id = $paymentId`,
  parameters: { paymentId: uuid },
  columns: { attemptBillId: nullable(uuid), billIds: array(text) },
});

/**
 * Returns whether the ledger has a payment for another attempt than a statement names. A payment that was moved or allocated to the bill of
 * the named attempt is not elsewhere.
 */
export async function isElsewhere(
  db: Queryable,
  { paymentId, attemptId, untouched }: LedgerEntry,
  attempt: ReferencedAttempt,
): Promise<boolean> {
  if (attemptId === attempt.id || untouched) return false;
  const shares = await LIST_SHARES.first(db, { paymentId });
  if (!shares) return false;
  if (!shares.billIds.includes(attempt.billId)) return attemptId !== null || shares.billIds.length > 0;
  return shares.attemptBillId === attempt.billId;
}

const LIST_UNCONFIRMED = statement({
  name: 'list payments of attempts that no statement contains',
  text: `SELECT p.id AS "paymentId", p.attempt_id AS "attemptId", p.provider_transaction_id AS "transactionId",
           ${correctedAmount('p')} AS amount, ${HAPPENED_AT} AS "happenedAt"
         FROM payment p
         WHERE p.attempt_id = ANY ($attempts::uuid[]) AND p.kind = 'payment' AND NOT EXISTS (
           SELECT 1 FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
           WHERE l.transaction_id = p.provider_transaction_id AND l.kind = p.kind AND l.finding <> 'ours_only'
             AND r.provider_account_id = ANY ($accounts::uuid[]))`,
  parameters: { attempts: array(uuid), accounts: array(uuid) },
  columns: { paymentId: uuid, attemptId: neverNull(uuid), transactionId: text, amount: int8, happenedAt: timestamptz },
});

/** Returns the payments of these attempts that no statement of these accounts contains, by attempt. */
export async function listUnconfirmed(db: Queryable, accounts: readonly string[], attempts: readonly string[]) {
  return Map.groupBy(await LIST_UNCONFIRMED.rows(db, { accounts, attempts }), ({ attemptId }) => attemptId);
}

const FIND_OTHER_REFERENCES = statement({
  name: 'find references of other accounts',
  text: `SELECT a.our_reference AS reference, a.id AS "attemptId", a.bill_id AS "billId", a.merchant_id AS "merchantId",
           p.id AS "accountId", p.label, a.refused_account_ids && $accounts::uuid[] AS refused
         FROM push_attempt a LEFT JOIN provider_account p ON p.id = a.provider_account_id
         WHERE a.our_reference = ANY ($references::text[]) AND (p.id IS NULL OR NOT p.id = ANY ($accounts::uuid[])) ORDER BY a.our_reference`,
  parameters: { accounts: array(uuid), references: array(text) },
  columns: {
    reference: neverNull(text),
    attemptId: neverNull(uuid),
    billId: neverNull(uuid),
    merchantId: neverNull(uuid),
    /** The account that has the attempt; null if none has it now. */
    accountId: nullable(uuid),
    label: nullable(text),
    /** Whether one of the accounts of the statement has refused the attempt, so that another account got it. */
    refused: boolean,
  },
});

export type OtherReference = Awaited<ReturnType<typeof FIND_OTHER_REFERENCES.rows>>[number];

/** Returns the attempts with these references that none of `accounts` has. */
export async function findOtherReferences(db: Queryable, accounts: readonly string[], references: readonly string[]) {
  return FIND_OTHER_REFERENCES.rows(db, { accounts, references });
}

/** Returns the merchant that owns a ledger entry; null for an unmatched payment without a merchant. */
export async function findOwner({ prisma }: Connection, paymentId: string): Promise<string | null> {
  const payment = await prisma.payment.findUnique({ where: { id: paymentId }, select: { merchantId: true } });
  return payment?.merchantId ?? null;
}

const reviewActionSchema = z.enum(['opened_review', 'added_to_review', 'none']) satisfies z.ZodType<Action>;

/** What a line of a statement did to a review. */
export type ReviewAction = z.infer<typeof reviewActionSchema>;

type ReviewData = Readonly<Record<string, string | number | null>>;

const FIND_REVIEW_ACTION = statement({
  name: 'find the review of a difference',
  text: `SELECT CASE WHEN bool_or(data @> $own::jsonb) THEN 'opened_review'
                     WHEN bool_or(data @> $moreOwn::jsonb) THEN 'added_to_review'
                     WHEN count(*) > 0 THEN 'none' END AS action
         FROM review WHERE kind = 'statement_differs' AND payment_id = $paymentId AND (data @> $difference::jsonb OR data @> $moreDifference::jsonb)`,
  parameters: { paymentId: uuid, difference: jsonb, own: jsonb, moreDifference: jsonb, moreOwn: jsonb },
  columns: { action: nullable(text) },
});

/**
 * Finds out whether a difference is already part of a review.
 * @param difference receipt number, kind and both amounts.
 * @param line the run and line that report the difference.
 * @returns what this line did to the review; `none` if another line reported the same difference before; null if there is no review.
 */
export async function findReviewAction(
  db: Queryable,
  paymentId: string,
  difference: ReviewData,
  line: ReviewData,
): Promise<ReviewAction | null> {
  const own = { ...difference, ...line };
  const more = { moreDifference: { more: [difference] }, moreOwn: { more: [own] } };
  const found = await FIND_REVIEW_ACTION.first(db, { paymentId, difference, own, ...more });
  return reviewActionSchema.nullable().parse(found?.action ?? null);
}

const FIND_CONFLICT = statement({
  name: 'find the review of a receipt conflict',
  text: `SELECT bool_or(resolved_at IS NULL) AS open FROM review
         WHERE kind = 'receipt_conflict' AND attempt_id = $attemptId
           AND (data @> jsonb_build_object('transactionId', $transactionId::text)
             OR data @> jsonb_build_object('more', jsonb_build_array(jsonb_build_object('transactionId', $transactionId::text))))
         HAVING count(*) > 0`,
  parameters: { attemptId: uuid, transactionId: text },
  columns: { open: neverNull(boolean) },
});

/** Returns whether a review of a conflict about this attempt and receipt number is open; undefined if there never was one. */
export async function findConflict(db: Queryable, attemptId: string, transactionId: string) {
  return FIND_CONFLICT.first(db, { attemptId, transactionId });
}

const FIND_REFUSED_REVIEW = statement({
  name: 'find the review of a payment that the provider had refused',
  text: `SELECT 1 AS found FROM review WHERE kind = 'contradiction' AND payment_id = $paymentId AND data->>'problem' = $problem LIMIT 1`,
  parameters: { paymentId: uuid, problem: text },
  columns: { found: int4 },
});

/** Returns whether there is or was a review of this payment, because the provider had refused the attempt that it names. */
export async function findRefusedReview(db: Queryable, paymentId: string): Promise<boolean> {
  return (await FIND_REFUSED_REVIEW.first(db, { paymentId, problem: CHARGED_THOUGH_REFUSED })) !== undefined;
}

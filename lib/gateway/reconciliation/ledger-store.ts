import { z } from 'zod';
import { correctedAmount } from '@/lib/gateway/ledger/balance-store';
import type { Queryable } from '@/lib/platform/db/database';
import {
  payment,
  paymentAllocation,
  providerAccount,
  pushAttempt,
  reconciliation,
  reconciliationLine,
} from '@/lib/platform/db/generated/tables';
import { array, boolean, jsonb, neverNull, nullable, pick, text, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { HAND } from '@/lib/providers/accounts/account-store';
import type { Action, LedgerEntry } from './rules';
import { moneyKindSchema } from './statement';

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
         FROM provider_account a WHERE a.id = $id AND a.provider <> '${HAND}'`,
  parameters: { id: providerAccount.id },
  columns: {
    ...pick(providerAccount, 'id environment merchantId provider'),
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
         SELECT p.id AS "paymentId", p.kind, coalesce(p.attempt_id, p.instrument_id) AS "requestId", found.transaction_id AS "transactionId", ${correctedAmount('p')} AS amount,
           coalesce(p.attempt_id, p.instrument_id) IS NULL AND NOT EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = p.id)
             AND NOT EXISTS (SELECT 1 FROM payment r WHERE r.reverses_id = p.id) AS untouched
         FROM found JOIN payment p ON p.id = found.id`,
  parameters: { accounts: array(payment.providerAccountId), transactionIds: array(payment.providerTransactionId) },
  columns: {
    paymentId: payment.id,
    kind: payment.kind,
    requestId: nullable(uuid),
    transactionId: reconciliationLine.transactionId,
    amount: paymentAllocation.amount,
    untouched: boolean,
  },
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

/** SQL for the instruments of these accounts that have one of these references in a column. */
const instrumentsBy = (column: string) => `SELECT i.id, i.bill_id, i.provider_account_id, i.${column}, true FROM instrument i
         WHERE i.${column} = ANY ($references::text[]) AND i.provider_account_id = ANY ($accounts::uuid[])`;

const FIND_REQUESTS = statement({
  name: 'find attempts and instruments by references',
  text: `SELECT r.id, r.bill_id AS "billId", r.account_id AS "accountId", r.reference, r.is_instrument AS "isInstrument" FROM (
         SELECT a.id, a.bill_id, a.provider_account_id AS account_id, a.our_reference AS reference, false AS is_instrument FROM push_attempt a
         WHERE a.our_reference = ANY ($references::text[]) AND a.provider_account_id = ANY ($accounts::uuid[])
         UNION ALL ${['our_reference', 'provider_reference', 'number'].map(instrumentsBy).join('\n         UNION ALL ')}) r
         ORDER BY r.id`,
  parameters: { accounts: array(uuid), references: array(text) },
  columns: {
    ...pick(pushAttempt, 'id billId'),
    accountId: neverNull(pushAttempt.providerAccountId),
    reference: neverNull(text),
    /** Whether it is an instrument; else an attempt. */
    isInstrument: neverNull(boolean),
  },
});

/** The attempt or instrument that a line of a statement names. */
export type ReferencedRequest = Awaited<ReturnType<typeof FIND_REQUESTS.rows>>[number];

/**
 * Returns the attempts and instruments of these accounts that have one of these references, by reference. An instrument also has the issued
 * number and the provider's own reference. If a provider uses a number again, it names the newest instrument.
 */
export async function findRequests(
  db: Queryable,
  accounts: readonly string[],
  references: readonly string[],
): Promise<ReadonlyMap<string, ReferencedRequest>> {
  const requests = await FIND_REQUESTS.rows(db, { accounts, references });
  return new Map(requests.map((request) => [request.reference, request]));
}

const KNOWN_RECEIPTS = statement({
  name: 'find receipt numbers of the ledger',
  text: `SELECT provider_transaction_id AS "transactionId" FROM payment
         WHERE till_id = (SELECT till_id FROM provider_account WHERE id = ($accounts::uuid[])[1]) AND kind IN ('payment', 'reversal')
           AND provider_transaction_id = ANY ($transactionIds::text[])
         UNION SELECT n.provider_transaction_id FROM reversal_receipt n JOIN payment r ON r.id = n.payment_id
         WHERE r.provider_account_id = ANY ($accounts::uuid[]) AND n.provider_transaction_id = ANY ($transactionIds::text[])`,
  parameters: { accounts: array(payment.providerAccountId), transactionIds: array(payment.providerTransactionId) },
  columns: { transactionId: payment.providerTransactionId },
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
  name: 'list the bills of a payment and of its request',
  text: `SELECT coalesce(t.bill_id, i.bill_id) AS "requestBillId", array(SELECT a.bill_id::text FROM payment_allocation a
           WHERE a.payment_id IN (SELECT p.id UNION ALL SELECT id FROM payment WHERE reverses_id = p.id
                                  UNION ALL SELECT id FROM payment_correction WHERE payment_id = p.id)
           GROUP BY a.bill_id HAVING sum(a.amount) > 0) AS "billIds"
         FROM payment p LEFT JOIN push_attempt t ON t.id = p.attempt_id LEFT JOIN instrument i ON i.id = p.instrument_id WHERE p.id = $paymentId`,
  parameters: { paymentId: paymentAllocation.paymentId },
  columns: { requestBillId: nullable(pushAttempt.billId), billIds: array(text) },
});

/**
 * Returns whether the ledger has a payment for another attempt or instrument than a statement names. A payment that was moved or allocated to
 * the bill of the named one is not elsewhere.
 */
export async function isElsewhere(
  db: Queryable,
  { paymentId, requestId, untouched }: LedgerEntry,
  request: ReferencedRequest,
): Promise<boolean> {
  if (requestId === request.id || untouched) return false;
  const shares = await LIST_SHARES.first(db, { paymentId });
  if (!shares) return false;
  if (!shares.billIds.includes(request.billId)) return requestId !== null || shares.billIds.length > 0;
  return shares.requestBillId === request.billId;
}

const LIST_UNCONFIRMED = statement({
  name: 'list payments of attempts and instruments that no statement contains',
  text: `SELECT p.id AS "paymentId", coalesce(p.attempt_id, p.instrument_id) AS "requestId", p.provider_transaction_id AS "transactionId",
           ${correctedAmount('p')} AS amount, ${HAPPENED_AT} AS "happenedAt"
         FROM payment p
         WHERE (p.attempt_id = ANY ($requests::uuid[]) OR p.instrument_id = ANY ($requests::uuid[])) AND p.kind = 'payment' AND NOT EXISTS (
           SELECT 1 FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
           WHERE l.transaction_id = p.provider_transaction_id AND l.kind = p.kind AND l.finding <> 'ours_only'
             AND r.provider_account_id = ANY ($accounts::uuid[]))`,
  parameters: { requests: array(uuid), accounts: array(reconciliation.providerAccountId) },
  columns: {
    paymentId: payment.id,
    requestId: neverNull(uuid),
    transactionId: payment.providerTransactionId,
    amount: payment.amount,
    happenedAt: reconciliationLine.happenedAt,
  },
});

/** Returns the payments of these attempts and instruments that no statement of these accounts contains, by attempt or instrument. */
export async function listUnconfirmed(db: Queryable, accounts: readonly string[], requests: readonly string[]) {
  return Map.groupBy(await LIST_UNCONFIRMED.rows(db, { accounts, requests }), ({ requestId }) => requestId);
}

const FIND_OTHER_REFERENCES = statement({
  name: 'find references of other accounts',
  text: `SELECT a.our_reference AS reference, a.id AS "attemptId", a.bill_id AS "billId", a.merchant_id AS "merchantId",
           p.id AS "accountId", p.label, a.refused_account_ids && $accounts::uuid[] AS refused
         FROM push_attempt a LEFT JOIN provider_account p ON p.id = a.provider_account_id
         WHERE a.our_reference = ANY ($references::text[]) AND (p.id IS NULL OR NOT p.id = ANY ($accounts::uuid[])) ORDER BY a.our_reference`,
  parameters: { accounts: array(providerAccount.id), references: array(pushAttempt.ourReference) },
  columns: {
    reference: pushAttempt.ourReference,
    attemptId: pushAttempt.id,
    ...pick(pushAttempt, 'billId merchantId'),
    /** The account that has the attempt; null if none has it now. */
    accountId: nullable(providerAccount.id),
    label: nullable(providerAccount.label),
    /** Whether one of the accounts of the statement has refused the attempt, so that another account got it. */
    refused: boolean,
  },
});

export type OtherReference = Awaited<ReturnType<typeof FIND_OTHER_REFERENCES.rows>>[number];

/** Returns the attempts with these references that none of `accounts` has. */
export async function findOtherReferences(db: Queryable, accounts: readonly string[], references: readonly string[]) {
  return FIND_OTHER_REFERENCES.rows(db, { accounts, references });
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
         WHERE kind = 'receipt_conflict' AND (attempt_id = $requestId OR payment_id = $paymentId)
           AND (data @> $conflict::jsonb OR data @> jsonb_build_object('more', jsonb_build_array($conflict::jsonb)))
         HAVING count(*) > 0`,
  parameters: { requestId: uuid, paymentId: nullable(uuid), conflict: jsonb },
  columns: { open: neverNull(boolean) },
});

/**
 * Returns whether a review of a conflict about this attempt or instrument and receipt number is open; undefined if there never was one.
 * @param paymentId the payment that the ledger has under this number.
 */
export async function findConflict(
  db: Queryable,
  { id: requestId, isInstrument }: ReferencedRequest,
  { transactionId, paymentId }: { readonly transactionId: string; readonly paymentId: string | null },
) {
  const conflict = isInstrument ? { transactionId, instrument: requestId } : { transactionId };
  return FIND_CONFLICT.first(db, { requestId, paymentId: isInstrument ? paymentId : null, conflict });
}

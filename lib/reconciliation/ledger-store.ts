import { z } from 'zod';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, boolean, environment, int8, jsonb, neverNull, nullable, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { correctedAmount } from '@/lib/payments/ledger/correction-store';
import { paymentKind } from '@/lib/payments/sql-types';
import type { Action, LedgerEntry } from './rules';
import { moneyKindSchema } from './sql-types';

/** An account, and all accounts of the same owner at the same provider, which share a till. */
export type StatementAccount = NonNullable<Awaited<ReturnType<typeof findStatementAccount>>>;

const FIND_STATEMENT_ACCOUNT = statement({
  name: 'find the accounts of a statement',
  text: `SELECT a.id, a.environment, a.merchant_id AS "merchantId", a.provider,
           array(SELECT b.id::text FROM provider_account b
                 WHERE b.provider = a.provider AND b.environment = a.environment AND b.merchant_id IS NOT DISTINCT FROM a.merchant_id
                 ORDER BY b.id <> a.id, b.id) AS accounts
         FROM provider_account a WHERE a.id = $id`,
  parameters: { id: uuid },
  columns: {
    id: uuid,
    environment,
    merchantId: nullable(uuid),
    provider: text,
    /** The ids of all accounts of the same owner at the same provider, this account first. */
    accounts: array(text),
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
         SELECT p.id AS "paymentId", p.kind, found.transaction_id AS "transactionId", ${correctedAmount('p')} AS amount,
           p.attempt_id IS NULL AND NOT EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = p.id)
             AND NOT EXISTS (SELECT 1 FROM payment r WHERE r.reverses_id = p.id)
             AND NOT EXISTS (SELECT 1 FROM refund_mark m WHERE m.payment_id = p.id) AS untouched
         FROM found JOIN payment p ON p.id = found.id`,
  parameters: { accounts: array(uuid), transactionIds: array(text) },
  columns: { paymentId: uuid, kind: paymentKind, transactionId: text, amount: int8, untouched: boolean },
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

const FIND_FOREIGN_REFERENCE = statement({
  name: 'find a reference of another account',
  text: `SELECT a.our_reference AS reference, p.id AS "accountId", p.label FROM push_attempt a JOIN provider_account p ON p.id = a.provider_account_id
         WHERE a.our_reference = ANY ($references::text[]) AND NOT a.provider_account_id = ANY ($accounts::uuid[]) ORDER BY a.our_reference LIMIT 1`,
  parameters: { accounts: array(uuid), references: array(text) },
  columns: { reference: text, accountId: uuid, label: text },
});

/** Returns one reference whose attempt belongs to an account outside `accounts`, with that account; undefined if there is none. */
export async function findForeignReference(db: Queryable, accounts: readonly string[], references: readonly string[]) {
  return FIND_FOREIGN_REFERENCE.first(db, { accounts, references });
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

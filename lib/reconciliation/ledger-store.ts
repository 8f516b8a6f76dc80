import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { correctedAmount } from '@/lib/payments/ledger/correction-store';
import type { Action, LedgerEntry } from './rules';

/** An account with those that have been or will be its owner's at the same provider: a new one may serve the same till. */
export interface StatementAccount {
  readonly id: string;
  readonly environment: Environment;
  readonly merchantId: string | null;
  readonly provider: string;
  /** Itself first. */
  readonly accounts: readonly string[];
}

export async function findStatementAccount(db: Queryable, id: string): Promise<StatementAccount | undefined> {
  const [account] = await db.query<StatementAccount>(
    {
      text: `SELECT a.id, a.environment, a.merchant_id AS "merchantId", a.provider,
               array(SELECT b.id::text FROM provider_account b
                     WHERE b.provider = a.provider AND b.environment = a.environment AND b.merchant_id IS NOT DISTINCT FROM a.merchant_id
                     ORDER BY b.id <> a.id, b.id) AS accounts
             FROM provider_account a WHERE a.id = $1`,
    },
    [id],
  );
  return account;
}

/** @returns what the ledger has under these transactions, by kind and transaction: one query, however many. */
export async function findEntries(
  db: Queryable,
  accounts: readonly string[],
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, LedgerEntry>> {
  const entries = await db.query<LedgerEntry>(
    {
      text: `WITH found AS (
               SELECT id, provider_transaction_id AS transaction_id FROM payment
               WHERE till_id = (SELECT till_id FROM provider_account WHERE id = ($1::uuid[])[1]) AND provider_transaction_id = ANY ($2::text[])
               UNION ALL SELECT n.payment_id, n.provider_transaction_id FROM reversal_receipt n JOIN payment r ON r.id = n.payment_id
               WHERE r.provider_account_id = ANY ($1::uuid[]) AND n.provider_transaction_id = ANY ($2::text[]))
             SELECT p.id AS "paymentId", p.kind, found.transaction_id AS "transactionId", ${correctedAmount('p')} AS amount,
               p.attempt_id IS NULL AND NOT EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = p.id)
                 AND NOT EXISTS (SELECT 1 FROM payment r WHERE r.reverses_id = p.id)
                 AND NOT EXISTS (SELECT 1 FROM refund_mark m WHERE m.payment_id = p.id) AS untouched
             FROM found JOIN payment p ON p.id = found.id`,
    },
    [accounts, transactionIds],
  );
  return new Map(entries.map((entry) => [entryKey(entry), entry]));
}

export function entryKey({ kind, transactionId }: Pick<LedgerEntry, 'kind' | 'transactionId'>): string {
  return `${kind} ${transactionId}`;
}

export interface ReferencedAttempt {
  readonly id: string;
  readonly billId: string;
  readonly accountId: string;
  readonly ourReference: string;
}

/** @returns the attempts that went through these accounts under these references of ours, by reference. */
export async function findAttempts(
  db: Queryable,
  accounts: readonly string[],
  references: readonly string[],
): Promise<ReadonlyMap<string, ReferencedAttempt>> {
  const attempts = await db.query<ReferencedAttempt>(
    {
      text: `SELECT id, bill_id AS "billId", provider_account_id AS "accountId", our_reference AS "ourReference"
             FROM push_attempt WHERE our_reference = ANY ($2::text[]) AND provider_account_id = ANY ($1::uuid[])`,
    },
    [accounts, references],
  );
  return new Map(attempts.map((attempt) => [attempt.ourReference, attempt]));
}

export interface Stranger {
  readonly reference: string;
  readonly accountId: string;
  readonly label: string;
}

/** @returns a reference of ours that went through none of these accounts, with the one it went through. */
export async function findStrangeReference(
  db: Queryable,
  accounts: readonly string[],
  references: readonly string[],
): Promise<Stranger | undefined> {
  const [stranger] = await db.query<Stranger>(
    {
      text: `SELECT a.our_reference AS reference, p.id AS "accountId", p.label FROM push_attempt a JOIN provider_account p ON p.id = a.provider_account_id
             WHERE a.our_reference = ANY ($2::text[]) AND NOT a.provider_account_id = ANY ($1::uuid[]) ORDER BY a.our_reference LIMIT 1`,
    },
    [accounts, references],
  );
  return stranger;
}

/** @returns whose a row of the ledger is; null for money that is no merchant's yet. */
export async function findOwner(db: Queryable, paymentId: string): Promise<string | null> {
  const [payment] = await db.query<{ merchantId: string | null }>(
    { text: 'SELECT merchant_id AS "merchantId" FROM payment WHERE id = $1' },
    [paymentId],
  );
  return payment?.merchantId ?? null;
}

/** What a line of a statement did when a person was asked about it. */
export type Asked = Extract<Action, 'opened_review' | 'added_to_review' | 'none'>;

type Said = Readonly<Record<string, string | number | null>>;

/**
 * @param said the difference.
 * @param line where this statement says it.
 * @returns what this line did when a person was asked about this very difference of a payment; `none` when another statement
 *   had said it before, and null when nobody was ever asked.
 */
export async function findReviewed(db: Queryable, paymentId: string, said: Said, line: Said): Promise<Asked | null> {
  const own = { ...said, ...line };
  const [asked] = await db.query<{ action: Asked | null }>(
    {
      text: `SELECT CASE WHEN bool_or(data @> $3::jsonb) THEN 'opened_review'
                         WHEN bool_or(data @> $5::jsonb) THEN 'added_to_review'
                         WHEN count(*) > 0 THEN 'none' END AS action
             FROM review WHERE kind = 'statement_differs' AND payment_id = $1 AND (data @> $2::jsonb OR data @> $4::jsonb)`,
    },
    [paymentId, said, own, { more: [said] }, { more: [own] }],
  );
  return asked?.action ?? null;
}

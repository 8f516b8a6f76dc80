import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';

/** A correction in the ledger. Amounts are senti. */
export interface CorrectionRow {
  readonly id: string;
  /** The payment, or the reversal, whose amount it corrects. */
  readonly correctsId: string;
  /** What it adds to that amount: negative when that was too much. */
  readonly amount: bigint;
  readonly reason: string;
  readonly createdBy: string;
  readonly recordedAt: Date;
}

/** @returns SQL for what a payment or reversal `entry` amounts to with its corrections, senti. */
export function correctedAmount(entry: string): string {
  return `(${entry}.amount + coalesce((SELECT sum(correction.amount) FROM payment_correction note JOIN payment correction ON correction.id = note.id
      WHERE note.payment_id = coalesce(${entry}.reverses_id, ${entry}.id) AND note.corrects_id = ${entry}.id), 0))::bigint`;
}

/** @returns every correction of a payment and of its reversals, oldest first. */
export async function listCorrections(db: Queryable, paymentId: string): Promise<CorrectionRow[]> {
  return db.query<CorrectionRow>(
    {
      text: `SELECT k.id, c.corrects_id AS "correctsId", k.amount, c.reason, c.created_by AS "createdBy", k.recorded_at AS "recordedAt"
             FROM payment_correction c JOIN payment k ON k.id = c.id WHERE c.payment_id = $1 ORDER BY k.id`,
    },
    [paymentId],
  );
}

/** An entry of the ledger that a person may correct. */
interface CorrectableEntry {
  readonly id: string;
  readonly kind: 'payment' | 'reversal';
  /** The payment itself, or the one that a reversal takes back. */
  readonly paymentId: string;
}

export async function findCorrectable(db: Queryable, id: string): Promise<CorrectableEntry | undefined> {
  const [entry] = await db.query<CorrectableEntry>(
    { text: `SELECT id, kind, coalesce(reverses_id, id) AS "paymentId" FROM payment WHERE id = $1 AND kind IN ('payment', 'reversal')` },
    [id],
  );
  return entry;
}

export interface BillShare {
  readonly billId: string;
  readonly merchantId: string;
  /** Senti. */
  readonly amount: bigint;
}

/** @returns what bills still lack because of a reversal, the bill that it took from last first. */
export async function listTaken(db: Queryable, reversalId: string): Promise<BillShare[]> {
  return db.query<BillShare>(
    {
      text: `SELECT a.bill_id AS "billId", a.merchant_id AS "merchantId", -sum(a.amount)::bigint AS amount FROM payment_allocation a
             WHERE a.payment_id = $1 OR a.payment_id IN (SELECT id FROM payment_correction WHERE corrects_id = $1
               AND payment_id = (SELECT reverses_id FROM payment WHERE id = $1))
             GROUP BY a.bill_id, a.merchant_id HAVING sum(a.amount) < 0 ORDER BY max(a.id::text COLLATE "C") DESC`,
    },
    [reversalId],
  );
}

/** @returns the bills that a payment's money was ever attached to, with what was attached. */
export async function listAttached(db: Queryable, paymentId: string): Promise<BillShare[]> {
  return db.query<BillShare>(
    {
      text: `SELECT bill_id AS "billId", merchant_id AS "merchantId", sum(amount)::bigint AS amount FROM payment_allocation
             WHERE payment_id = $1 GROUP BY bill_id, merchant_id ORDER BY bill_id`,
    },
    [paymentId],
  );
}

/** Counts what a corrected reversal gave back to a bill (negative: took off it). A trigger counts what reversals themselves take. */
export async function countReturned(tx: Queryable, { billId, amount }: BillShare): Promise<void> {
  await tx.query({ text: 'UPDATE bill SET reversed_amount = reversed_amount - $2 WHERE id = $1' }, [billId, amount]);
}

interface NewCorrection {
  readonly id: string;
  readonly environment: Environment;
  readonly payment: {
    readonly id: string;
    readonly merchantId: string | null;
    readonly providerAccountId: string;
    readonly attemptId: string | null;
    readonly mobile: string | null;
  };
  readonly correctsId: string;
  readonly amount: bigint;
  readonly reason: string;
  readonly createdBy: string;
  readonly reviewId: string | null;
  readonly now: Date;
}

export async function insertCorrection(
  tx: Queryable,
  { id, environment, payment, correctsId, amount, reason, createdBy, reviewId, now }: NewCorrection,
): Promise<void> {
  const { merchantId, providerAccountId, attemptId, mobile } = payment;
  await tx.query(
    {
      text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, attempt_id, amount, mobile, recorded_at)
             VALUES ($1::uuid, $2, $3, $4, $1::text, 'correction', $5, $6, $7, $8)`,
    },
    [id, environment, merchantId, providerAccountId, attemptId, amount, mobile, now],
  );
  await tx.query(
    { text: 'INSERT INTO payment_correction (id, payment_id, corrects_id, reason, created_by, review_id) VALUES ($1, $2, $3, $4, $5, $6)' },
    [id, payment.id, correctsId, reason, createdBy, reviewId],
  );
}

import type { Bill } from '@/lib/bills/rules';
import type { Queryable } from '@/lib/db/database';
import type { Attempt } from '@/lib/payments/rules';
import { ATTEMPT_COLUMNS } from '@/lib/payments/store';

/** An attempt with who asked for it. */
export interface BillAttempt extends Attempt {
  readonly source: 'api' | 'web' | 'dashboard';
  /** The form that asked, where that had a number. */
  readonly formId: string | null;
}

/** @returns the attempts of one bill, oldest first, for deciding about one more. */
export async function listBillAttempts(tx: Queryable, billId: string): Promise<BillAttempt[]> {
  return tx.query<BillAttempt>(
    {
      name: 'list-bill-attempts',
      text: `SELECT ${ATTEMPT_COLUMNS}, a.source, a.form_id AS "formId" FROM push_attempt a WHERE a.bill_id = $1 ORDER BY a.id`,
    },
    [billId],
  );
}

/** @returns the network that the customer chose for an attempt; undefined when it was left to the number. */
export async function findChosenNetwork(
  db: Queryable,
  { id, billId }: { readonly id: string; readonly billId: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ network: string | null }>(
    {
      text: `SELECT data->>'chosenNetwork' AS network FROM bill_event
             WHERE bill_id = $1 AND type = 'attempt.queued' AND data->>'attempt' = $2::text`,
    },
    [billId, id],
  );
  return row?.network ?? undefined;
}

export interface NewAttempt {
  readonly id: string;
  readonly bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>;
  readonly mobile: string;
  readonly network: string;
  readonly amount: bigint;
  readonly ourReference: string;
  /** What asked for it: the payment page, or a person of the merchant's. */
  readonly source: 'web' | 'dashboard';
  readonly formId: string | null;
  readonly now: Date;
}

/** Queues a prompt that somebody asked for; the caller has locked the bill. */
export async function insertAttempt(tx: Queryable, attempt: NewAttempt): Promise<void> {
  const { id, bill, source, formId, mobile, network, amount, ourReference, now } = attempt;
  await tx.query(
    {
      text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, form_id, mobile, network, amount, our_reference, state, due_at, created_at)
             VALUES ($1, $2, $3, $4, $5::attempt_source, $6, $7, $8, $9, $10, 'QUEUED', $11, $11)`,
    },
    [id, bill.merchantId, bill.environment, bill.id, source, formId, mobile, network, amount, ourReference, now],
  );
}

import type { Queryable } from '@/lib/db/database';
import type { NewAttempt } from './store';

/** @returns the prompt that a form of the dashboard has asked for already; the caller has locked the bill. */
export async function findAskedBy(tx: Queryable, billId: string, formId: string): Promise<string | null> {
  const [row] = await tx.query<{ attempt: string }>(
    {
      text: `SELECT data->>'attempt' AS attempt FROM bill_event
             WHERE bill_id = $1 AND type = 'attempt.queued' AND data->>'form' = $2::text`,
    },
    [billId, formId],
  );
  return row?.attempt ?? null;
}

/** Queues a prompt that a person asked for in the dashboard; the caller has locked the bill. */
export async function insertOwnAttempt(tx: Queryable, attempt: Omit<NewAttempt, 'formId'>): Promise<void> {
  const { id, bill, mobile, network, amount, ourReference, now } = attempt;
  await tx.query(
    {
      text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
             VALUES ($1, $2, $3, $4, 'dashboard', $5, $6, $7, $8, 'QUEUED', $9, $9)`,
    },
    [id, bill.merchantId, bill.environment, bill.id, mobile, network, amount, ourReference, now],
  );
}

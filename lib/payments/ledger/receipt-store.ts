import type { Queryable } from '@/lib/db/database';
import { correctedAmount } from './correction-store';

/** @returns the receipts that an attempt was paid under, without those that a person corrected to nothing. */
export async function listReceiptsOf(db: Queryable, attemptId: string): Promise<string[]> {
  const rows = await db.query<{ receipt: string }>(
    {
      text: `SELECT p.provider_transaction_id AS receipt FROM payment p
             WHERE p.attempt_id = $1 AND p.kind = 'payment' AND ${correctedAmount('p')} > 0 ORDER BY p.id`,
    },
    [attemptId],
  );
  return rows.map(({ receipt }) => receipt);
}

/** @returns the newest receipts of an account. */
export async function listRecentReceipts(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db.query<{ receipt: string }>(
    {
      text: `SELECT provider_transaction_id AS receipt FROM payment WHERE provider_account_id = $1 AND kind = 'payment'
             ORDER BY recorded_at DESC LIMIT 20`,
    },
    [accountId],
  );
  return rows.map(({ receipt }) => receipt);
}

import type { Queryable } from '@/lib/db/database';
import { boolean, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { correctedAmount } from './correction-store';

const LIST_RECENT_RECEIPTS = statement({
  name: 'list the newest receipts of an account',
  text: `SELECT provider_transaction_id AS receipt FROM payment WHERE provider_account_id = $accountId AND kind = 'payment'
         ORDER BY recorded_at DESC LIMIT 20`,
  parameters: { accountId: uuid },
  columns: { receipt: text },
});

/** Returns the 20 newest receipt numbers of an account. */
export async function listRecentReceipts(db: Queryable, accountId: string): Promise<string[]> {
  return (await LIST_RECENT_RECEIPTS.rows(db, { accountId })).map(({ receipt }) => receipt);
}

const HAS_PAYMENT = statement({
  name: 'whether an attempt has a payment',
  text: `SELECT EXISTS (SELECT 1 FROM payment p WHERE p.attempt_id = $attemptId AND p.kind = 'payment' AND ${correctedAmount('p')} > 0) AS has`,
  parameters: { attemptId: uuid },
  columns: { has: boolean },
});

/** Tells whether the ledger has money of an attempt. A payment that a person corrected to 0 does not count. */
export async function hasPayment(db: Queryable, attemptId: string): Promise<boolean> {
  return (await HAS_PAYMENT.first(db, { attemptId }))?.has ?? false;
}

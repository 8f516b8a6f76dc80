import { findReversal } from '@/lib/payments/ledger/balance-store';
import { bookReversal } from '@/lib/payments/ledger/book-reversal';
import { findPayment } from '@/lib/payments/ledger/payment-store';
import type { Runtime } from '@/lib/runtime/runtime';
import type { ActOnLine } from './act-on-line';
import { listWaitingReversals, recordReversal } from './action-store';
import { batches } from './find-differences';
import { openDifferenceReview } from './open-difference';
import type { StatementLine } from './statement';

/**
 * Books reversals from statements that were reconciled before this one. They could not be booked then, because the ledger did not have
 * their payments. This statement contains the payments: statements can be reconciled in any order. Idempotent.
 */
export async function bookWaitingReversals(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { account, accounts, lines }: Pick<ActOnLine, 'account' | 'accounts'> & { readonly lines: readonly StatementLine[] },
): Promise<void> {
  for (const batch of batches(lines.filter(({ kind }) => kind === 'payment'))) {
    const receipts = batch.map(({ transactionId }) => transactionId);
    for (const waiting of await listWaitingReversals(runtime.db, accounts, receipts)) {
      const payment = await findPayment(runtime.db, account.id, waiting.reversedTransactionId);
      if (!payment) continue;
      const booked = await bookReversal(runtime, {
        account,
        transactionId: waiting.reversedTransactionId,
        reversalTransactionId: waiting.transactionId,
        amount: waiting.amount,
        source: 'statement',
      });
      const { runId, number, transactionId, amount: statementAmount } = waiting;
      const about = { runId, number, environment: account.environment, kind: 'reversal', transactionId, statementAmount } as const;
      const reversal = booked === 'differs' ? await findReversal(runtime.db, payment.id, transactionId) : undefined;
      const difference = { ...about, paymentId: reversal?.id ?? payment.id, ledgerAmount: reversal?.amount ?? null };
      const differs = booked === 'exceeds' || booked === 'differs';
      const fallback = differs ? await openDifferenceReview(runtime, runtime.db, difference) : 'none';
      await recordReversal(runtime.db, { runId, accounts, number, transactionId, fallback });
    }
  }
}

import { newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { Queryable } from '@/lib/db/database';
import type { OutcomeSource } from '@/lib/providers/port/outcome';
import { openReview } from '@/lib/reviews/open-review';
import type { Runtime } from '@/lib/runtime/runtime';
import { readBalance } from './balance-store';
import type { Bookings } from './bookings';
import type { LedgerPayment } from './payment-store';

interface ReviewAmountOptions {
  readonly payment: LedgerPayment;
  /** Those whose history shows it. The caller has locked them. */
  readonly bills: readonly string[];
  /** What the provider reports now, senti. */
  readonly reported: Senti;
  readonly source: OutcomeSource;
  readonly now: Date;
}

/**
 * Asks a person about a receipt that is reported again with another amount than was recorded. The ledger keeps the amount that it
 * has. If a person has corrected it to the reported one, there is nothing to ask.
 */
export async function reviewAmount(
  runtime: Pick<Runtime, 'random' | 'clock' | 'log'>,
  tx: Queryable,
  bookings: Bookings,
  { payment, bills, reported, source, now }: ReviewAmountOptions,
): Promise<void> {
  const { id: paymentId, environment, merchantId, transactionId } = payment;
  const { received } = await readBalance(tx, payment);
  if (reported === received) return;
  const data = { source, payment: paymentId, transactionId, amount: reported.toString(), ledgerAmount: received.toString() };
  const about = { environment, merchantId, kind: 'contradiction', paymentId } as const;
  if ((await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now })) === 'repeated') return;
  for (const billId of bills) bookings.add(billId, { events: [{ type: 'payment.contradicted', data }] });
  runtime.log.error({ paymentId, transactionId, source }, 'a receipt is reported again with another amount: bili review list');
}

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
  /** The bills whose history shows the review. The caller has locked them. */
  readonly bills: readonly string[];
  /** The amount that the provider reports now, senti. */
  readonly reported: Senti;
  readonly source: OutcomeSource;
  readonly now: Date;
}

/**
 * Opens a review if a receipt number is reported again with an amount that differs from the ledger. The ledger does not change. No review
 * is opened if a person has already corrected the payment to the reported amount.
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
  runtime.log.error({ paymentId, transactionId, source }, 'a receipt was reported again with another amount; see: bili review list');
}

import { newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { Queryable } from '@/lib/db/database';
import type { OutcomeSource } from '@/lib/providers/port/outcome';
import { openReview } from '@/lib/reviews/open-review';
import { closeReviews } from '@/lib/reviews/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { findReversal } from './balance-store';
import type { LedgerPayment } from './payment-store';

type Needs = Pick<Runtime, 'clock' | 'random' | 'log'>;

interface Assumed {
  readonly reversalId: string;
  readonly payment: LedgerPayment;
  /** The booked amount, senti. */
  readonly amount: Senti;
  readonly source: OutcomeSource;
  readonly now: Date;
}

/** Opens a review about a reversal that nobody requested and that has no amount. The whole rest of the payment was booked as reversed. */
export async function reviewAssumedReversal(
  runtime: Needs,
  tx: Queryable,
  { reversalId, payment, amount, source, now }: Assumed,
): Promise<void> {
  const { environment, merchantId, transactionId, id } = payment;
  const data = { source, payment: id, transactionId, ledgerAmount: amount.toString() };
  const about = { environment, merchantId, kind: 'reversal_assumed', paymentId: reversalId } as const;
  await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now });
  runtime.log.error({ paymentId: id, transactionId }, 'a payment was reversed, but the provider gave no amount; see: bili review list');
}

/**
 * Closes the review that {@link reviewAssumedReversal} opened, when the provider has reported the receipt number and the amount. If the
 * amount differs from the booked one, {@link reviewReversal} opens another review.
 */
export async function closeAssumedReview(
  tx: Queryable,
  { reversalId, receipt }: { reversalId: string; receipt: string },
  { source, now }: { source: OutcomeSource; now: Date },
): Promise<void> {
  const resolution = `the provider reports its receipt, ${receipt}, and its amount, by ${source}`;
  await closeReviews(tx, [{ kind: 'reversal_assumed', paymentId: reversalId, resolvedBy: 'gateway', resolution }], now);
}

interface UnbookedReversal {
  readonly payment: LedgerPayment;
  readonly booked: 'differs' | 'exceeds';
  /** The amount that the provider reports, senti; null if it reports none. */
  readonly amount: Senti | null;
  readonly reversalTransactionId: string | null;
  readonly source: OutcomeSource;
  readonly now: Date;
}

/** Opens a review about a reported reversal that cannot be booked. */
export async function reviewReversal(
  runtime: Needs,
  tx: Queryable,
  { payment, booked, amount, reversalTransactionId, source, now }: UnbookedReversal,
): Promise<void> {
  const { environment, merchantId, transactionId } = payment;
  const reversal = booked === 'differs' && reversalTransactionId ? await findReversal(tx, payment.id, reversalTransactionId) : undefined;
  const data = {
    outcome: 'reversed',
    source,
    payment: payment.id,
    transactionId,
    amount: amount?.toString() ?? null,
    reversalTransactionId,
    ...(reversal && { ledgerAmount: reversal.amount.toString() }),
  };
  const about = { environment, merchantId, kind: 'contradiction', paymentId: reversal?.id ?? payment.id } as const;
  if ((await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now })) === 'repeated') return;
  runtime.log.error({ paymentId: payment.id, transactionId, source }, 'a reported reversal cannot be booked; see: bili review list');
}

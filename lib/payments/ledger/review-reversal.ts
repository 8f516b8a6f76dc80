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
  /** What was booked, senti. */
  readonly amount: Senti;
  readonly source: OutcomeSource;
  readonly now: Date;
}

/** Asks a person how much went back: the provider did not say, nobody had asked for it, and all that was left is booked. */
export async function reviewAssumedReversal(
  runtime: Needs,
  tx: Queryable,
  { reversalId, payment, amount, source, now }: Assumed,
): Promise<void> {
  const { environment, merchantId, transactionId, id } = payment;
  const data = { source, payment: id, transactionId, ledgerAmount: amount.toString() };
  const about = { environment, merchantId, kind: 'reversal_assumed', paymentId: reversalId } as const;
  await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now });
  runtime.log.error({ paymentId: id, transactionId }, 'a payment went back, and nobody said how much: bili review list');
}

/** Closes that review once the provider has named the reversal and its amount; another amount is a review of its own. */
export async function closeAssumedReview(
  tx: Queryable,
  { reversalId, receipt }: { reversalId: string; receipt: string },
  { source, now }: { source: OutcomeSource; now: Date },
): Promise<void> {
  const resolution = `the provider names its receipt, ${receipt}, and its amount, by ${source}`;
  await closeReviews(tx, { kind: 'reversal_assumed', paymentId: reversalId }, { resolvedBy: 'gateway', resolution, now });
}

interface Unbooked {
  readonly payment: LedgerPayment;
  readonly booked: 'differs' | 'exceeds';
  /** What the provider says, senti. */
  readonly amount: Senti | null;
  readonly reversalTransactionId: string | null;
  readonly source: OutcomeSource;
  readonly now: Date;
}

/** Asks a person about a reversal that was reported and cannot be booked. */
export async function reviewReversal(
  runtime: Needs,
  tx: Queryable,
  { payment, booked, amount, reversalTransactionId, source, now }: Unbooked,
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
  runtime.log.error({ paymentId: payment.id, transactionId, source }, 'a reversal cannot be booked as it is reported: bili review list');
}

import type { Queryable } from '@/lib/db/database';
import type { LedgerPayment } from '@/lib/payments/ledger/payment-store';
import { findAttempt } from '@/lib/payments/store';
import type { Reversal } from '@/lib/providers/port/port';
import type { ClaimedRequest } from './requests/lease-store';

type Request = Pick<ClaimedRequest, 'ourReference' | 'amount'>;

/** Returns the data of a reversal that an adapter needs. */
export async function describeReversal(db: Queryable, request: Request, payment: LedgerPayment): Promise<Reversal> {
  const attempt = payment.attemptId === null ? undefined : await findAttempt(db, payment.attemptId);
  return {
    reference: request.ourReference,
    transactionId: payment.transactionId,
    promptReference: attempt?.ourReference ?? null,
    mobile: attempt?.mobile ?? null,
    amount: request.amount,
  };
}

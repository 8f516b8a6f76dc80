import type { BillStatus } from '@/lib/bills/rules';
import { isOverpaid } from '@/lib/bills/rules';
import type { Senti } from '@/lib/core/money';
import type { AttemptState } from '@/lib/payments/state';
import { type FailureReason, isFailureReason } from '@/lib/providers/port/outcome';

/** What a cashier must know about a bill. `open`: not paid, and no payment request was sent. */
export type CounterState = 'open' | 'waiting' | 'unknown' | 'declined' | 'part' | 'paid' | 'overpaid' | 'closed';

/** Why a payment request did not lead to a payment. */
type DeclineReason = FailureReason | 'expired' | 'merchant_inactive' | 'cancelled';

interface Facts {
  readonly amount: Senti;
  readonly paidAmount: Senti;
  readonly status: BillStatus;
  readonly closedAt: Date | null;
  /** The state and failure reason of the newest attempt. Null if there is none. */
  readonly attemptState: AttemptState | null;
  readonly failureReason: string | null;
}

/** Pure. Returns the state of a bill for the cashier. A paid bill is paid, whatever the state of its attempts. */
export function counterState(bill: Facts): { readonly state: CounterState; readonly reason: DeclineReason | null } {
  const plain = (state: CounterState) => ({ state, reason: null });
  if (bill.status === 'FULLY_PAID') return plain(isOverpaid(bill) ? 'overpaid' : 'paid');
  switch (bill.attemptState) {
    case 'QUEUED':
    case 'SENDING':
    case 'AWAITING_CUSTOMER':
      return plain('waiting');
    case 'UNKNOWN':
      return plain('unknown');
    default:
  }
  if (bill.closedAt !== null) return plain('closed');
  if (bill.status === 'PARTIALLY_PAID') return plain('part');
  const reason = declineReason(bill);
  return reason ? { state: 'declined', reason } : plain('open');
}

function declineReason({ attemptState, failureReason }: Facts): DeclineReason | null {
  if (attemptState === 'EXPIRED') return 'expired';
  if (attemptState === 'CANCELLED') return 'cancelled';
  if (attemptState !== 'FAILED') return null;
  if (failureReason === 'merchant_inactive') return failureReason;
  return failureReason !== null && isFailureReason(failureReason) ? failureReason : 'rejected';
}

import { type BillStatus, isOverpaid } from '@/lib/gateway/bills/rules';
import type { AttemptState } from '@/lib/gateway/payments/rules';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Senti } from '@/lib/platform/core/money';
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

/** Pure. Returns whether a bill is paid, and all of its money was cash. */
export function isAllCash({
  status,
  paidAmount,
  cashAmount,
}: Pick<Facts, 'status' | 'paidAmount'> & { readonly cashAmount: Senti }): boolean {
  return status === 'FULLY_PAID' && cashAmount === paidAmount;
}

function declineReason({ attemptState, failureReason }: Facts): DeclineReason | null {
  if (attemptState === 'EXPIRED') return 'expired';
  if (attemptState === 'CANCELLED') return 'cancelled';
  if (attemptState !== 'FAILED') return null;
  if (failureReason === 'merchant_inactive') return failureReason;
  return failureReason !== null && isFailureReason(failureReason) ? failureReason : 'rejected';
}

/** For this time after a bill was entered, Bili may send the prompt without asking the cashier. Later, the customer may have left. */
export const PROMPT_WITHIN_MS = 2 * MINUTE_MS;

/** How much a device's estimate of the server's clock may be wrong. */
export const CLOCK_TOLERANCE_MS = 30 * SECOND_MS;

/**
 * Pure. Returns whether a prompt may be sent without asking the cashier.
 * @param confirmedAt see `EnteredBill`. If it is further in the future than CLOCK_TOLERANCE_MS, the device's clock is wrong, and the
 * result is false: by such a clock, a bill would seem fresh even after the customer has left.
 */
export function isFresh(confirmedAt: number | null, now: Date): boolean {
  if (confirmedAt === null) return false;
  const age = now.getTime() - confirmedAt;
  return age >= -CLOCK_TOLERANCE_MS && age <= PROMPT_WITHIN_MS;
}

import type { Attempt } from '@/lib/gateway/payments/rules';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { type FailureReason, isFailureReason } from '@/lib/providers/port/outcome';

/**
 * Why the newest attempt of a bill has not paid it. Only the device that started the attempt learns a reason that is about the customer;
 * all others, who may only have the link, get `not_completed` instead. Reasons for which no prompt reached a customer are shown to all.
 * `not_counted`: the attempt succeeded, but its payment is neither on the bill nor reversed.
 */
export type UnpaidReason = FailureReason | 'expired' | 'released' | 'reversed' | 'not_counted' | 'not_completed';

/** The newest attempt of a bill, as the payment page shows it. This attempt has not paid the bill. */
export interface UnpaidAttempt {
  readonly reason: UnpaidReason;
  readonly attempt: Attempt;
  /** Whether this device started the attempt. Then it may see the full phone number. */
  readonly own: boolean;
  /** True if a payment may still arrive. The page then asks the customer to wait for the network's SMS and collapses the form. */
  readonly mayStillBePaid: boolean;
}

/** How long the form stays collapsed after an attempt that may still be paid. */
const HOLD_MS = 2 * MINUTE_MS;

/** The reasons after which a PIN that was entered in the last seconds of the prompt can still lead to a charge. */
const UNCERTAIN: ReadonlySet<UnpaidReason> = new Set<UnpaidReason>(['expired', 'user_timeout', 'not_completed']);

/** Reasons that mean that no prompt reached the customer. They say nothing about the customer, so every visitor may see them. */
const NOT_SENT: readonly UnpaidReason[] = ['no_provider', 'merchant_config', 'provider_unavailable', 'not_sent_in_time'];

interface UnpaidFacts {
  /** The amounts of the bill that were paid and reversed, in senti. */
  readonly paidAmount: bigint;
  readonly reversedAmount: bigint;
  readonly own: boolean;
  readonly now: Date;
}

/** Describes the newest attempt for the payment page. Returns null if it paid the bill or has no reason to show. */
export function describeUnpaidAttempt(attempt: Attempt, facts: UnpaidFacts): UnpaidAttempt | null {
  const reason = reasonOf(attempt, facts);
  if (!reason) return null;
  const { settledAt } = attempt;
  const mayStillBePaid = UNCERTAIN.has(reason) && settledAt !== null && facts.now < addMs(settledAt, HOLD_MS);
  return { reason, attempt, own: facts.own, mayStillBePaid };
}

function reasonOf({ state, failureReason }: Attempt, { paidAmount, reversedAmount, own }: UnpaidFacts): UnpaidReason | null {
  switch (state) {
    case 'UNKNOWN':
      return 'released';
    case 'SUCCEEDED':
      if (paidAmount > 0n) return null;
      return reversedAmount > 0n ? 'reversed' : 'not_counted';
    case 'EXPIRED':
      return own ? 'expired' : 'not_completed';
    default:
      if (failureReason === null) return null;
      return isFailureReason(failureReason) && (own || NOT_SENT.includes(failureReason)) ? failureReason : 'not_completed';
  }
}

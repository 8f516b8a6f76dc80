import { addMs, MINUTE_MS } from '@/lib/core/clock';
import type { Attempt } from '@/lib/payments/rules';
import { type FailureReason, isFailureReason } from '@/lib/providers/port/outcome';

/**
 * What became of the last try, where that is no payment that counts. Why it failed is for the device that asked: to others, who
 * may only have the link, it was `not_completed`. `not_counted`: it succeeded, its money is not on the bill and nothing went back.
 */
export type LastTry = FailureReason | 'expired' | 'released' | 'reversed' | 'not_counted' | 'not_completed';

/** The last try as the payment page describes it. */
export interface FailedTry {
  readonly reason: LastTry;
  readonly attempt: Attempt;
  /** This device asked for it, so it may see the number whole. */
  readonly own: boolean;
  /** Money may still come: the page asks whoever entered the PIN to wait for the network's SMS, and folds the form. */
  readonly held: boolean;
}

/** How long the form stays folded after a prompt that nobody knows to be unpaid. */
const HOLD_MS = 2 * MINUTE_MS;

/** A PIN that was entered in the last seconds of a prompt can still be charged; after every other reason it is certain. */
const UNCERTAIN: ReadonlySet<LastTry> = new Set<LastTry>(['expired', 'user_timeout', 'not_completed']);

interface TryFacts {
  /** Of the bill, senti: what counts, and what went back. */
  readonly paidAmount: bigint;
  readonly reversedAmount: bigint;
  readonly own: boolean;
  readonly now: Date;
}

/** Pure. @returns what the page says of the newest attempt; null where there is nothing to say. */
export function failedTry(attempt: Attempt, facts: TryFacts): FailedTry | null {
  const reason = reasonOf(attempt, facts);
  if (!reason) return null;
  const { settledAt } = attempt;
  const held = UNCERTAIN.has(reason) && settledAt !== null && facts.now < addMs(settledAt, HOLD_MS);
  return { reason, attempt, own: facts.own, held };
}

function reasonOf({ state, failureReason }: Attempt, { paidAmount, reversedAmount, own }: TryFacts): LastTry | null {
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
      return own && isFailureReason(failureReason) ? failureReason : 'not_completed';
  }
}

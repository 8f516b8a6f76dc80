import type { Bill } from '@/lib/bills/rules';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import type { Attempt } from '@/lib/payments/rules';

/** How long an open page polls after an attempt has ended or the bill was paid. Late money and second payments arrive in this time. */
const POLL_AFTER_END_MS = 10 * MINUTE_MS;

/** Returns how often an open page polls for changes; null if it does not poll. */
export function pagePace(bill: Pick<Bill, 'paidAt'>, attempts: readonly Attempt[], prompted: boolean, now: Date): 'quick' | 'slow' | null {
  if (prompted) return 'quick';
  const changes = [bill.paidAt, ...attempts.flatMap(({ settledAt, releasedAt }) => [settledAt, releasedAt])];
  return changes.some((at) => at !== null && now < addMs(at, POLL_AFTER_END_MS)) ? 'slow' : null;
}

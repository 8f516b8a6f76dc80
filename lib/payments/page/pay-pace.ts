import type { Bill } from '@/lib/bills/rules';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import type { Attempt } from '@/lib/payments/rules';

/** How long a page goes on looking after a prompt has ended or the bill was paid: late money and second payments come within it. */
const LOOK_ON_MS = 10 * MINUTE_MS;

/** Pure. @returns how often an open page asks whether it would say something else: null for not by itself. */
export function pagePace(bill: Pick<Bill, 'paidAt'>, attempts: readonly Attempt[], prompted: boolean, now: Date): 'quick' | 'slow' | null {
  if (prompted) return 'quick';
  const changes = [bill.paidAt, ...attempts.flatMap(({ settledAt, releasedAt }) => [settledAt, releasedAt])];
  return changes.some((at) => at !== null && now < addMs(at, LOOK_ON_MS)) ? 'slow' : null;
}

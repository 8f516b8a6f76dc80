import { holderOf } from '@/lib/core/address-holder';
import type { RequestLimits } from '@/lib/limits/request-limits';

/** What a browser is told to wait when too many pages are asked for at once, seconds. */
const BUSY_SECONDS = 5;

interface Page {
  readonly show: () => Promise<Response>;
  /** @param seconds how long the visitor is to wait. */
  readonly busy: (seconds: number) => Promise<Response>;
}

/** Shows a page that anybody may open, a few at a time, and no more to one address than its limit. */
export async function withinLimits(limits: RequestLimits, address: string | null, { show, busy }: Page): Promise<Response> {
  const verdict = limits.takePage(address);
  if (!verdict.allowed) {
    await limits.holdBack(verdict);
    return busy(verdict.retrySeconds);
  }
  return (await limits.pageLine.run(holderOf(address), show)) ?? busy(BUSY_SECONDS);
}

import type { RequestLimits } from '@/lib/identity/limits/request-limits';
import { clientNetwork } from '@/lib/platform/core/client-network';
import { recorder } from '@/lib/platform/metrics/recorder';

/** The Retry-After of an answer when too many pages are requested at once, seconds. */
const BUSY_SECONDS = 5;

interface Page {
  readonly show: () => Promise<Response>;
  /** @param seconds until the visitor should try again. */
  readonly busy: (seconds: number) => Promise<Response>;
}

/** Shows a public page. Limits how many pages the process renders at once, and how often one IP address may open a page. */
export async function withinLimits(limits: RequestLimits, address: string | null, { show, busy }: Page): Promise<Response> {
  const verdict = limits.takePage(address);
  if (!verdict.allowed) {
    await limits.delayRefusal(verdict);
    return busy(verdict.retrySeconds);
  }
  const shown = await limits.pageQueue.run(clientNetwork(address), show);
  if (shown === undefined) recorder()?.overloaded('pages');
  return shown ?? busy(BUSY_SECONDS);
}

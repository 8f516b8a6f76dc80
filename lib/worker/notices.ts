import { SECOND_MS } from '@/lib/core/clock';
import { claimNews, tellNews } from '@/lib/notices/tell-news';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Pump, type PumpOptions, startPump } from './pump';

const IDLE_MS = 10 * SECOND_MS;
const AT_ONCE = 2;

/** Starts what writes to merchants about what they want to be told. */
export function startNotices(runtime: Runtime, common: Pick<PumpOptions<never>, 'log' | 'graceMs'>): Pump {
  return startPump({
    ...common,
    name: 'notices',
    concurrency: AT_ONCE,
    idleMs: IDLE_MS,
    claim: (limit) => claimNews(runtime, limit),
    work: (round) => tellNews(runtime, round),
  });
}

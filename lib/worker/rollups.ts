import { MINUTE_MS } from '@/lib/core/clock';
import { rollUpDays } from '@/lib/overview/roll-up-days';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Pump, type PumpOptions, startPump } from './pump';

/** Starts what adds up the days of every merchant, for their overview. */
export function startRollups(runtime: Runtime, common: Pick<PumpOptions<never>, 'log' | 'graceMs'>): Pump {
  return startPump<never>({
    ...common,
    name: 'rollups',
    concurrency: 1,
    idleMs: MINUTE_MS,
    async claim() {
      await rollUpDays(runtime);
      return [];
    },
    work: async () => undefined,
  });
}

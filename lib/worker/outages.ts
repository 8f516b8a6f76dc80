import { SECOND_MS } from '@/lib/core/clock';
import { claimDueProbes, probeAccount } from '@/lib/outages/probe-account';
import { claimDueNotices, sendNotice } from '@/lib/outages/send-notice';
import { tellOutages } from '@/lib/outages/tell-outages';
import type { WorkerRuntime } from '@/lib/payments/attempts/work-attempt';
import { type Pump, type PumpOptions, startPump } from './pump';

const IDLE_MS = 2 * SECOND_MS;
const PROBES_AT_ONCE = 20;
const NOTICES_AT_ONCE = 2;

/** Starts what notices that a provider does not answer, and tells the operator. */
export function startOutages(runtime: WorkerRuntime, common: Pick<PumpOptions<never>, 'log' | 'graceMs' | 'mayClaim'>): Pump[] {
  return [
    startPump({
      ...common,
      name: 'outages',
      concurrency: PROBES_AT_ONCE,
      idleMs: IDLE_MS,
      async claim(limit) {
        await tellOutages(runtime);
        return claimDueProbes(runtime, limit);
      },
      work: (id, signal) => probeAccount(runtime, id, signal),
    }),
    startPump({
      ...common,
      name: 'operator notices',
      concurrency: NOTICES_AT_ONCE,
      idleMs: IDLE_MS,
      claim: (limit) => claimDueNotices(runtime, limit),
      work: (notice, signal) => sendNotice(runtime, notice, signal),
    }),
  ];
}

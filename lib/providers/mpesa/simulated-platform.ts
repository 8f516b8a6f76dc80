import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@/lib/core/clock';
import type { Behaviour } from './behaviours';
import type { Access } from './simulated-access';
import type { Announcement } from './simulated-callbacks';
import type { SimulatedRecord } from './simulated-record';

/** The behaviour of the simulated M-Pesa. `POST /control` changes the behaviour while the simulator runs. */
interface Conduct {
  mode: 'sync' | 'async';
  /** The application's Response URL; null for no callbacks. */
  callbackUrl: string | null;
  /** Limit of the amounts requested from one customer in a day, whole shillings; null for no limit. */
  dailyLimit: number | null;
  /** Whether requests for a session are refused with INS-989. */
  sessionsFail: boolean;
  /** Whether no request gets an answer, except the request for a session. */
  hangs: boolean;
  /** Whether payment requests are refused with INS-997, as for an organisation whose API is not enabled. */
  suspended: boolean;
}

export interface Platform {
  readonly clock: Clock;
  readonly access: Access;
  readonly record: SimulatedRecord;
  readonly announcements: Announcement[];
  readonly refusals: { readonly at: Date; readonly request: string; readonly status: number; readonly why: string }[];
  readonly conduct: Conduct;
  readonly serviceProviderCode: string;
  readonly indexingMs: number;
  readonly delayFactor: number;
  readonly chooseBehaviour: (msisdn: string) => Behaviour;
  readonly stopping: AbortSignal;
  /** Number of synchronous calls that wait for their customer: now, and the maximum so far. */
  readonly held: { now: number; most: number };
}

/** Waits for a time multiplied by `delayFactor`, or until the simulator stops. */
export async function pause({ delayFactor, stopping }: Platform, ms: number): Promise<void> {
  await delay(ms * delayFactor, undefined, { signal: stopping }).catch(() => undefined);
}

/** Holds a synchronous call until its customer answers. */
export async function hold(platform: Platform, ms: number): Promise<void> {
  const { held } = platform;
  held.now += 1;
  held.most = Math.max(held.most, held.now);
  await pause(platform, ms);
  held.now -= 1;
}

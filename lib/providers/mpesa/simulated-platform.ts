import { setTimeout as delay } from 'node:timers/promises';
import type { Access } from './simulated-access';
import type { Announcement } from './simulated-callbacks';
import type { SimulatedRecord } from './simulated-record';

/** How the simulated platform behaves; a control request changes it while it runs. */
interface Conduct {
  mode: 'sync' | 'async';
  /** The application's Response URL; null announces nothing. */
  callbackUrl: string | null;
  /** Whole shillings that one customer may be asked for in a day; null for any. */
  dailyLimit: number | null;
  /** Every session is refused with INS-989. */
  sessionsFail: boolean;
  /** Sessions are opened, and nothing else is ever answered. */
  hangs: boolean;
}

export interface Platform {
  readonly access: Access;
  readonly record: SimulatedRecord;
  readonly announcements: Announcement[];
  readonly conduct: Conduct;
  readonly serviceProviderCode: string;
  readonly indexingMs: number;
  readonly delayFactor: number;
  readonly stopping: AbortSignal;
  /** Synchronous calls that wait for their customer: now, and at most so far. */
  readonly held: { now: number; most: number };
}

/** Waits as long as the simulated world takes, or until the simulator stops. */
export async function pause({ delayFactor, stopping }: Platform, ms: number): Promise<void> {
  await delay(ms * delayFactor, undefined, { signal: stopping }).catch(() => undefined);
}

/** Keeps a synchronous call waiting for its customer. */
export async function hold(platform: Platform, ms: number): Promise<void> {
  const { held } = platform;
  held.now += 1;
  held.most = Math.max(held.most, held.now);
  await pause(platform, ms);
  held.now -= 1;
}

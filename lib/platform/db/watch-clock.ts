import { type Clock, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Log } from '@/lib/platform/log/log';
import type { Health } from './check-writable';
import type { Queryable } from './database';
import { timestamptz } from './sql-types';
import { statement } from './statement';

const READ_CLOCK = statement({
  name: "read the server's clock",
  text: 'SELECT clock_timestamp() AS now',
  columns: { now: timestamptz },
});

/** Maximum difference between the clocks of two machines that leases, retries and timestamps tolerate, milliseconds. */
export const CLOCKS_APART_MS = 5 * SECOND_MS;

const COMPARISON_INTERVAL_MS = MINUTE_MS;
const CHECK_INTERVAL_MS = SECOND_MS;
/** If our clock deviates this much from the time that has passed, somebody has changed it. Milliseconds. */
const JUMP_MS = SECOND_MS;

/** The clock of this machine, which may be wrong. */
export interface MachineClock {
  readonly read: Clock;
  /** Says what the time is, milliseconds: the time of the database. Until then, the machine's clock is trusted. */
  trust(databaseMs: number): void;
}

/**
 * Creates the clock of a process. It shows the machine's time while that agrees with the database's time, which is known since the last
 * call of `trust`. Otherwise it shows the database's time. So new work is due at the right time even if somebody changes the machine's
 * clock.
 */
export function createClock(read: Clock = () => new Date()): { readonly clock: Clock; readonly machineClock: MachineClock } {
  /** The database's time when performance.now() was 0, milliseconds; undefined before the first comparison. */
  let origin: number | undefined;
  return {
    clock() {
      const own = read();
      if (origin === undefined) return own;
      const right = origin + performance.now();
      return Math.abs(own.getTime() - right) > CLOCKS_APART_MS ? new Date(right) : own;
    },
    machineClock: {
      read,
      trust(databaseMs) {
        origin = databaseMs - performance.now();
      },
    },
  };
}

interface ClockWatch {
  /**
   * Returns whether our clock agreed with the database's clock at the last comparison with a clear result. Returns false before the first
   * such comparison.
   */
  agrees(): boolean;
  stop(): void;
}

interface WatchClockOptions {
  readonly db: Queryable;
  readonly machineClock: MachineClock;
  readonly log: Log;
  readonly health: Health;
}

/**
 * Compares the machine's clock with the clock of the database server: now, every minute, and within a second after the machine's clock was
 * changed. Logs each change of the result, and stores a difference in the process's health. Resolves after the first comparison. A
 * comparison that fails is repeated after a second.
 */
export async function watchClock({ db, machineClock, log, health }: WatchClockOptions): Promise<ClockWatch> {
  let agrees: boolean | undefined;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let wallAtStart = 0;
  let busy = false;
  /** The time of our clock at the start of the process. It is constant unless the clock is changed. */
  const wall = () => machineClock.read().getTime() - performance.now();

  async function compare(): Promise<void> {
    const began = performance.now();
    const row = await READ_CLOCK.first(db, {});
    if (!row) throw new Error('the database did not return its time');
    const roundTrip = performance.now() - began;
    const ahead = machineClock.read().getTime() - roundTrip / 2 - row.now.getTime();
    const next = judge(ahead, roundTrip / 2);
    if (next !== undefined) machineClock.trust(row.now.getTime() + roundTrip / 2);
    const result = next ?? agrees;
    if (result === undefined) return;
    if (result !== (agrees ?? true)) logChange(result, ahead);
    if (next === true) health.delete('clock');
    if (next === false) health.set('clock', describeDifference(ahead));
    agrees = result;
    comparedAt = began;
    wallAtStart = wall();
  }

  function logChange(right: boolean, ahead: number): void {
    if (right) log.warn('the clock agrees with the database again');
    else
      log.error(
        { seconds: Math.round(Math.abs(ahead) / SECOND_MS) },
        `${describeDifference(ahead)}: a worker claims nothing, and web is not ready, until they agree; check NTP`,
      );
  }

  async function check(): Promise<void> {
    const due = performance.now() - comparedAt >= COMPARISON_INTERVAL_MS || Math.abs(wall() - wallAtStart) > JUMP_MS;
    if (busy || !due) return;
    busy = true;
    try {
      await compare();
    } catch (error) {
      // This is not logged as an error, because requests and jobs already report an unavailable database.
      log.debug({ err: error }, 'the clock could not be compared');
    } finally {
      busy = false;
    }
  }

  await check();
  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS);
  timer.unref();
  return { agrees: () => agrees === true, stop: () => clearInterval(timer) };
}

/** @param aheadMs how far the clock is ahead of the database's, milliseconds. @param whose the owner of the clock. */
export function describeDifference(aheadMs: number, whose = ''): string {
  const seconds = Math.round(Math.abs(aheadMs) / SECOND_MS);
  return `the clock${whose} is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`;
}

/** Returns whether the two clocks agree. Returns undefined if the database answered so slowly that the result is uncertain. */
function judge(ahead: number, uncertainty: number): boolean | undefined {
  if (Math.abs(ahead) + uncertainty <= CLOCKS_APART_MS) return true;
  if (Math.abs(ahead) - uncertainty > CLOCKS_APART_MS) return false;
  return undefined;
}

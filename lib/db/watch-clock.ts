import { type Clock, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import type { Log } from '@/lib/log/log';
import type { Queryable } from './database';
import { timestamptz } from './sql-types';
import { statement } from './statement';

const READ_CLOCK = statement({
  name: "read the server's clock",
  text: 'SELECT clock_timestamp() AS now',
  parameters: {},
  columns: { now: timestamptz },
});

/** Maximum difference between the clocks of two machines that leases, retries and timestamps tolerate, milliseconds. */
export const CLOCKS_APART_MS = 5 * SECOND_MS;

const COMPARISON_INTERVAL_MS = MINUTE_MS;
const CHECK_INTERVAL_MS = SECOND_MS;
/** If our clock deviates this much from the time that has passed, somebody has changed it. Milliseconds. */
const JUMP_MS = SECOND_MS;

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
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Compares our clock with the clock of the database server: now, every minute, and within a second after our clock was changed. Logs each
 * change of the result. Resolves after the first comparison. A comparison that fails is repeated after a second.
 */
export async function watchClock({ db, clock, log }: WatchClockOptions): Promise<ClockWatch> {
  let agrees: boolean | undefined;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let wallAtStart = 0;
  let busy = false;
  /** The time of our clock at the start of the process. It is constant unless the clock is changed. */
  const wall = () => clock().getTime() - performance.now();

  async function compare(): Promise<void> {
    const began = performance.now();
    const row = await READ_CLOCK.first(db, {});
    if (!row) throw new Error('the database did not return its time');
    const roundTrip = performance.now() - began;
    const ahead = clock().getTime() - roundTrip / 2 - row.now.getTime();
    const next = judge(ahead, roundTrip / 2) ?? agrees;
    if (next === undefined) return;
    if (next !== (agrees ?? true)) logChange(next, ahead);
    agrees = next;
    comparedAt = began;
    wallAtStart = wall();
  }

  function logChange(right: boolean, ahead: number): void {
    const seconds = Math.round(Math.abs(ahead) / SECOND_MS);
    if (right) log.warn('the clock agrees with the database again');
    else
      log.error(
        { seconds },
        `the clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's: a worker claims nothing until they agree; check NTP`,
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

/** Returns whether the two clocks agree. Returns undefined if the database answered so slowly that the result is uncertain. */
function judge(ahead: number, uncertainty: number): boolean | undefined {
  if (Math.abs(ahead) + uncertainty <= CLOCKS_APART_MS) return true;
  if (Math.abs(ahead) - uncertainty > CLOCKS_APART_MS) return false;
  return undefined;
}

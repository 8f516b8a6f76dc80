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

/** Leases, retries and timestamps bear this much between the clocks of two machines, milliseconds. */
export const CLOCKS_APART_MS = 5 * SECOND_MS;

const COMPARE_EACH_MS = MINUTE_MS;
const LOOK_EACH_MS = SECOND_MS;
/** Our clock has been set when it moved this much more or less than the time that passed, milliseconds. */
const JUMP_MS = SECOND_MS;

interface ClockWatch {
  /** Whether our clock agreed with the database's when they were compared last; false before the first comparison. */
  agrees(): boolean;
  stop(): void;
}

interface WatchClockOptions {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Compares our clock with the database's: now, every minute, and within a second after our clock has been set. Logs each change
 * of the result. Resolves after the first comparison, also when it failed: then it is repeated every second.
 */
export async function watchClock({ db, clock, log }: WatchClockOptions): Promise<ClockWatch> {
  let agrees: boolean | undefined;
  let comparedAt = Number.NEGATIVE_INFINITY;
  let wallAtStart = 0;
  let busy = false;
  /** What the clock would have shown when the process started; changes only when the clock is set. */
  const wall = () => clock().getTime() - performance.now();

  async function compare(): Promise<void> {
    const began = performance.now();
    const row = await READ_CLOCK.first(db, {});
    if (!row) throw new Error('the database does not tell the time');
    const roundTrip = performance.now() - began;
    const ahead = clock().getTime() - roundTrip / 2 - row.now.getTime();
    const next = judge(ahead, roundTrip / 2) ?? agrees;
    if (next === undefined) return;
    if (next !== (agrees ?? true)) tell(next, ahead);
    agrees = next;
    comparedAt = began;
    wallAtStart = wall();
  }

  function tell(right: boolean, ahead: number): void {
    const seconds = Math.round(Math.abs(ahead) / SECOND_MS);
    if (right) log.warn('the clock agrees with the database again');
    else
      log.error(
        { seconds },
        `the clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's: a worker claims nothing until they agree; check NTP`,
      );
  }

  async function look(): Promise<void> {
    const due = performance.now() - comparedAt >= COMPARE_EACH_MS || Math.abs(wall() - wallAtStart) > JUMP_MS;
    if (busy || !due) return;
    busy = true;
    try {
      await compare();
    } catch (error) {
      // Whoever needs the database says that it is not there.
      log.debug({ err: error }, 'the clock could not be compared');
    } finally {
      busy = false;
    }
  }

  await look();
  const timer = setInterval(() => void look(), LOOK_EACH_MS);
  timer.unref();
  return { agrees: () => agrees === true, stop: () => clearInterval(timer) };
}

/** @returns whether the clocks agree; undefined when the answer took too long to tell. */
function judge(ahead: number, uncertainty: number): boolean | undefined {
  if (Math.abs(ahead) + uncertainty <= CLOCKS_APART_MS) return true;
  if (Math.abs(ahead) - uncertainty > CLOCKS_APART_MS) return false;
  return undefined;
}

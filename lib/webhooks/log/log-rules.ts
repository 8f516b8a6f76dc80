import { addMs, DAY_MS } from '@/lib/core/clock';
import type { Partition } from './log-store';

const WEEK_MS = 7 * DAY_MS;
/** The first Monday after the start of Unix time, 5 January 1970. Partitions begin on Mondays, UTC. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** Partitions are created this many weeks ahead, so that the log works even if no worker runs for that long. */
const WEEKS_AHEAD = 4;
const NAME = /^webhook_attempt_(\d{4})_(\d\d)_(\d\d)$/;

/** Returns the partitions that must exist: last week's (for attempts that are still running), this week's and the next weeks'. */
export function neededPartitions(now: Date): Partition[] {
  const monday = Math.floor((now.getTime() - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
  return Array.from({ length: WEEKS_AHEAD + 2 }, (_, week) => partitionFrom(new Date(monday + (week - 1) * WEEK_MS)));
}

function partitionFrom(from: Date): Partition {
  return { name: `webhook_attempt_${from.toISOString().slice(0, 10).replaceAll('-', '_')}`, from, to: addMs(from, WEEK_MS) };
}

/** Returns the partitions that contain only delivery attempts older than `days`. Ignores names that are not partitions of the log. */
export function expiredPartitions(names: readonly string[], now: Date, days: number): string[] {
  const oldest = addMs(now, -days * DAY_MS);
  return names.filter((name) => {
    const [, year, month, day] = NAME.exec(name) ?? [];
    return year !== undefined && addMs(new Date(`${year}-${month}-${day}T00:00:00Z`), WEEK_MS) <= oldest;
  });
}

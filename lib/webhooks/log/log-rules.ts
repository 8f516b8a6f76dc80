import { addMs, DAY_MS } from '@/lib/core/clock';
import type { Partition } from './log-store';

const WEEK_MS = 7 * DAY_MS;
/** 1 January 1970 was a Thursday: weeks begin on Mondays, UTC. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** So many weeks beside the present one have their partition: a worker may be away for as long. */
const WEEKS_AHEAD = 4;
const NAME = /^webhook_attempt_(\d{4})_(\d\d)_(\d\d)$/;

/** @returns the partitions there should be by now: this week's, the one before (for attempts under way), and some ahead. */
export function neededPartitions(now: Date): Partition[] {
  const monday = Math.floor((now.getTime() - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
  return Array.from({ length: WEEKS_AHEAD + 2 }, (_, week) => partitionFrom(new Date(monday + (week - 1) * WEEK_MS)));
}

function partitionFrom(from: Date): Partition {
  return { name: `webhook_attempt_${from.toISOString().slice(0, 10).replaceAll('-', '_')}`, from, to: addMs(from, WEEK_MS) };
}

/** @returns those of some partitions of which everything is older than so many days. Others' names are let alone. */
export function expiredPartitions(names: readonly string[], now: Date, days: number): string[] {
  const oldest = addMs(now, -days * DAY_MS);
  return names.filter((name) => {
    const [, year, month, day] = NAME.exec(name) ?? [];
    return year !== undefined && addMs(new Date(`${year}-${month}-${day}T00:00:00Z`), WEEK_MS) <= oldest;
  });
}

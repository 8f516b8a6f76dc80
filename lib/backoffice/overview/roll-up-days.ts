import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import type { Environment } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { writeDays } from './day-counts';
import { writeHours } from './hour-store';
import { addDays, type Day, daysFrom } from './periods';
import { addMissingRollups, claimStaleDays, findFirstBill, lockDueRollup, type Rollup } from './rollup-store';
import { addUnpaidChanges, writeUnpaidDays } from './unpaid-store';

type Needs = Pick<Runtime, 'db' | 'clock'>;

/** How long after its end a day is summed up. By then every transaction of that day has committed, even with a slow clock. */
const ROLL_UP_DELAY_MS = 15 * MINUTE_MS;
const EVERY_MS = HOUR_MS;
/** Each rollup sums up this many of the latest days again, even if no change of them was recorded. */
const RECOUNT_DAYS = 3;
/** Days per transaction, to keep transactions short. */
const STEP_DAYS = 7;

/**
 * Sums up the days that are due: completed days, and earlier days that have changed. Any number of workers may call this at the same time
 * or again, because the new sums of a day replace the old ones. Returns the number of days.
 */
export async function rollUpDays(runtime: Needs): Promise<number> {
  await addMissingRollups(runtime.db, runtime.clock());
  let days = 0;
  for (let step = await rollUpStep(runtime); step !== null; step = await rollUpStep(runtime)) days += step;
  return days;
}

/** Returns the number of days summed up, or null if nothing was due. */
async function rollUpStep({ db, clock }: Needs): Promise<number | null> {
  return db.transaction(async (tx) => {
    const now = clock();
    const rollup = await lockDueRollup(tx, now);
    if (!rollup) return null;
    const lastOver = addDays(eastAfricanDay(addMs(now, -ROLL_UP_DELAY_MS)), -1);
    const { days, coveredTo } = await nextDays(tx, rollup, lastOver);
    if (days.length > 0) {
      await writeDays(tx, rollup, days);
      await writeHours(tx, rollup, days);
      await writeUnpaidDays(tx, rollup, days);
    }
    await addUnpaidChanges(tx, rollup, coveredTo);
    const { merchantId, environment } = rollup;
    const end = new Date(coveredTo);
    const dueAt = coveredTo <= lastOver ? now : addMs(now, EVERY_MS);
    await tx.prisma.rollup.updateMany({ where: { merchantId, environment }, data: { coveredTo: end, hoursTo: end, dueAt } });
    return days.length;
  });
}

async function nextDays(tx: Queryable, rollup: Rollup, lastOver: Day): Promise<{ days: Day[]; coveredTo: Day }> {
  const end = addDays(lastOver, 1);
  const first = await findFirstBill(tx, rollup);
  if (first === null) return { days: [], coveredTo: end };
  const stale = await claimStaleDays(tx, rollup, lastOver);
  const since = rollup.coveredTo ?? eastAfricanDay(first);
  const coveredTo = [addDays(since, STEP_DAYS), end].sort()[0] ?? end;
  const [again = since] = rollup.coveredTo === null ? [since] : [since, addDays(end, -RECOUNT_DAYS)].sort();
  return { days: [...new Set([...stale, ...daysFrom(again, addDays(coveredTo, -1))])], coveredTo };
}

interface RebuildDaysOptions {
  /** `merchantId` null: every merchant. `environment` null: both environments. */
  readonly merchantId: string | null;
  readonly environment: Environment | null;
}

/**
 * Sums up all days again. Until that is done, the overview computes the sums from the original rows, so it stays correct but is slower.
 * Returns the number of rollups (one per merchant and environment), and the number of days that this process summed up.
 * Workers sum up the other days.
 */
export async function rebuildDays(
  runtime: Pick<Runtime, 'db' | 'clock'>,
  { merchantId, environment }: RebuildDaysOptions,
): Promise<{ readonly overviews: number; readonly days: number }> {
  await addMissingRollups(runtime.db, runtime.clock());
  const { count } = await runtime.db.prisma.rollup.updateMany({
    where: { ...(merchantId !== null && { merchantId }), ...(environment !== null && { environment }) },
    data: { coveredTo: null, hoursTo: null, dueAt: runtime.clock() },
  });
  return { overviews: count, days: await rollUpDays(runtime) };
}

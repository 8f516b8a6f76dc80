import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { countAttemptDays, countPaymentDays } from './day-counts';
import { type AttemptDay, type PaymentDay, readAttemptDays, readPaymentDays } from './day-store';
import { addDays, type Day, daysFrom } from './periods';
import { type Coverage, readCoverage } from './rollup-store';

export interface KnownDays {
  /** Days without activity are missing. */
  readonly payments: ReadonlyMap<Day, PaymentDay>;
  readonly attempts: readonly AttemptDay[];
}

/**
 * Returns the sums of each day from `first` until today. Stored sums are used for a day that has not changed since a worker summed it up.
 * The sums of today and of all other days are computed from the original rows.
 * @param coverage how far workers have summed up; by default it is read from the database.
 */
export async function readDays(
  db: Queryable,
  scope: Scope,
  { first, today, coverage }: { first: Day; today: Day; coverage?: Coverage },
): Promise<KnownDays> {
  const { coveredTo, stale } = coverage ?? (await readCoverage(db, scope, first));
  // Today's sum is never read: a worker with a fast clock may have stored it too early.
  const end = [coveredTo ?? first, today].sort()[0] ?? today;
  const counted = [...stale.filter((day) => day < end), ...daysFrom(end < first ? first : end, today)];
  const last = addDays(end, -1);
  const upToDate = (day: { readonly day: Day }) => !stale.includes(day.day);
  const [payments, attempts, paymentsNow, attemptsNow] = await Promise.all([
    readPaymentDays(db, scope, first, last),
    readAttemptDays(db, scope, first, last),
    countPaymentDays(db, scope, counted),
    countAttemptDays(db, scope, counted),
  ]);
  const all = [...payments.filter(upToDate), ...paymentsNow];
  return { payments: new Map(all.map((day) => [day.day, day])), attempts: [...attempts.filter(upToDate), ...attemptsNow] };
}

import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { type AttentionItem, findAttention } from './attention-rules';
import { type FirstSteps, findFirstSteps } from './attention-store';
import { sumSpans } from './day-store';
import {
  compareInterval,
  type DayFigures,
  dayFigures,
  type IntervalFigures,
  type NetworkFigures,
  networkFigures,
  type ReasonFigures,
  reasonFigures,
  type Totals,
  totalsOf,
} from './figures';
import { addDays, comparisonsAt, cutIntoDays, daysFrom, type Period } from './periods';
import { readAttentionFacts, usualFrom, usualOf } from './read-attention';
import { readDays } from './read-days';

/** The overview of a merchant in one environment. Amounts are senti, days are in East Africa Time. */
export interface Overview {
  readonly at: Date;
  readonly period: Period;
  readonly attention: readonly AttentionItem[];
  readonly steps: FirstSteps;
  readonly intervals: readonly IntervalFigures[];
  readonly totals: Totals;
  readonly days: readonly DayFigures[];
  readonly networks: readonly NetworkFigures[];
  readonly reasons: readonly ReasonFigures[];
}

/** Returns the data of the overview. Days that a worker has summed up are read, all others are counted, with the same result. */
export async function showOverview(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  { period }: { readonly period: Period },
): Promise<Result<Overview, 'not_allowed'>> {
  if (!may(access, 'overview.view')) return fail('not_allowed');
  const { scope } = access;
  const at = clock();
  const today = eastAfricanDay(at);
  const comparisons = comparisonsAt(at);
  const days = daysFrom(addDays(today, 1 - period), today);
  const earliest = comparisons.map(({ before }) => eastAfricanDay(before.from));
  const first = [...earliest, usualFrom(today), ...days].sort()[0] ?? today;

  const [known, rests, facts, steps] = await Promise.all([
    readDays(db, scope, { first, today }),
    sumSpans(
      db,
      scope,
      comparisons.map(({ before }) => cutIntoDays(before).rest),
    ),
    readAttentionFacts({ db, clock }, scope, access.status),
    findFirstSteps(db, scope),
  ]);
  const attempts = known.attempts.filter(({ day }) => days.includes(day));
  return ok({
    at,
    period,
    attention: findAttention({ ...facts, ...usualOf(known, today) }),
    steps,
    intervals: comparisons.map((comparison, index) => compareInterval(comparison, known.payments, rests[index] ?? 0n)),
    totals: totalsOf(known.payments, days),
    days: dayFigures(known.payments, days),
    networks: networkFigures(attempts),
    reasons: reasonFigures(attempts),
  });
}

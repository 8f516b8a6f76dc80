import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { type AttentionItem, findAttention } from './attention-rules';
import { sumSpans } from './day-store';
import {
  type BeforeFigures,
  changeInPercent,
  type DayFigures,
  dayFigures,
  firstShown,
  type NetworkFigures,
  netBefore,
  networkFigures,
  type ReasonFigures,
  type RequestFigures,
  reasonFigures,
  requestFigures,
  type Totals,
  totalsOf,
} from './figures';
import { type ActivationSteps, type FirstSteps, findActivationSteps, findFirstSteps } from './first-steps-store';
import { readHours } from './hour-store';
import { type HourFigures, hourFigures, type ReceivedThrough, receivedThrough } from './hours';
import { type Day, daysFrom } from './periods';
import { type AskedRange, type Range, readRange, unfinishedDay } from './ranges';
import { readAttentionFacts, usualFrom, usualOf } from './read-attention';
import { readDays } from './read-days';
import { readCoverage } from './rollup-store';
import { type UnpaidFigures, unpaidFigures } from './unpaid';
import { readOverdue, readUnpaidDays } from './unpaid-store';

/** The overview of a merchant in one environment. Amounts are senti, days are in East Africa Time. */
export interface Overview {
  readonly at: Date;
  readonly attention: readonly AttentionItem[];
  readonly steps: FirstSteps;
  /** What is missing before the live environment can be activated; null for the sandbox, and if live is not pending. */
  readonly activation: ActivationSteps | null;
  readonly range: Range;
  readonly totals: Totals;
  readonly before: BeforeFigures;
  readonly unpaid: UnpaidFigures;
  readonly requests: RequestFigures;
  readonly days: readonly DayFigures[];
  readonly networks: readonly NetworkFigures[];
  readonly received: readonly ReceivedThrough[];
  readonly reasons: readonly ReasonFigures[];
  readonly hours: readonly HourFigures[];
}

/** Returns the data of the overview. Reads the sums that workers have stored. Computes the sums of other days from the original rows. */
export async function showOverview(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  { asked }: { readonly asked: AskedRange },
): Promise<Result<Overview, 'not_allowed'>> {
  if (!may(access, 'overview.view')) return fail('not_allowed');
  const { scope } = access;
  const at = clock();
  const today = eastAfricanDay(at);
  const range = readRange(asked, today);
  const unfinished = unfinishedDay(range, at);
  const first = [usualFrom(today), firstShown(range)].sort()[0] ?? today;
  const coverage = await readCoverage(db, scope, first);
  // Today's sums are never read: a worker with a fast clock may have stored them too early.
  const summedTo = [coverage.hoursTo ?? '', today].sort()[0] || null;
  const isCounted = (day: Day) => summedTo === null || day >= summedTo || coverage.stale.includes(day);
  const counted = daysFrom(range.first, range.last).filter(isCounted);

  const member = { ...scope, userId: access.user.id };
  const pending = scope.environment === 'live' && access.status === 'pending';
  const [known, rests, facts, steps, activation, hours, unpaid, overdue] = await Promise.all([
    readDays(db, scope, { first, today, coverage }),
    sumSpans(db, scope, unfinished === null ? [] : [unfinished]),
    readAttentionFacts({ db, clock }, scope, access.status),
    findFirstSteps(db, member),
    pending ? findActivationSteps(db, member) : null,
    readHours(db, scope, { first: range.first, last: range.last, counted }),
    readUnpaidDays(db, scope, summedTo),
    readOverdue(db, scope, today),
  ]);
  const attemptsOf = ({ first: from, last }: Pick<Range, 'first' | 'last'>) =>
    known.attempts.filter(({ day }) => day >= from && day <= last);
  const attempts = attemptsOf(range);
  const totals = totalsOf(known.payments, daysFrom(range.first, range.last));
  const earlier = netBefore(known.payments, range, rests[0] ?? null);
  return ok({
    at,
    attention: findAttention({ ...facts, ...usualOf(known, today) }),
    steps,
    activation,
    range,
    totals,
    before: {
      net: earlier,
      change: changeInPercent(earlier, totals.net),
      until: unfinished?.to ?? null,
      requests: requestFigures(attemptsOf(range.before)),
    },
    unpaid: unpaidFigures(unpaid, overdue, today),
    requests: requestFigures(attempts),
    days: dayFigures(known.payments, range),
    networks: networkFigures(attempts),
    received: receivedThrough(hours),
    reasons: reasonFigures(attempts),
    hours: hourFigures(hours),
  });
}

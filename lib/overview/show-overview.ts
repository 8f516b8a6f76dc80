import { type MerchantAccess, may } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/core/clock';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { fail, ok, type Result } from '@/lib/core/result';
import { listExpiringKeys } from '@/lib/keys/list-keys';
import { listServedNetworks } from '@/lib/payments/account-store';
import { listOwnUnmatched } from '@/lib/payments/listing-store';
import { RELEASE_AFTER_MS } from '@/lib/payments/rules';
import { type AttentionFacts, NAMED } from './attention-facts';
import { type AttentionItem, findAttention } from './attention-rules';
import {
  countRecent,
  type FirstSteps,
  findEndpointFacts,
  findExhausted,
  findFirstSteps,
  findOpenReviews,
  findReleasable,
} from './attention-store';
import { sumSpans } from './day-store';
import {
  compareStretch,
  type DayFigures,
  dayFigures,
  type NetworkFigures,
  networkFigures,
  type ReasonFigures,
  reasonFigures,
  type StretchFigures,
  type Totals,
  totalsOf,
} from './figures';
import { addDays, comparisonsAt, cutIntoDays, daysFrom, type Period } from './periods';
import { type KnownDays, readDays } from './read-days';

/** What "usual" is judged by, and which networks customers use: days. */
const USUAL_DAYS = 30;
/** What is happening just now, milliseconds. */
const RECENT_MS = 15 * MINUTE_MS;
/** What has been given up for longer, nobody waits for. */
const EXHAUSTED_MS = 30 * DAY_MS;

/** How a merchant's business stands in one environment. Amounts are senti, days those of East Africa Time. */
export interface Overview {
  readonly at: Date;
  readonly period: Period;
  readonly attention: readonly AttentionItem[];
  readonly steps: FirstSteps;
  readonly stretches: readonly StretchFigures[];
  /** Of the period. */
  readonly totals: Totals;
  readonly days: readonly DayFigures[];
  readonly networks: readonly NetworkFigures[];
  readonly reasons: readonly ReasonFigures[];
}

type Needs = Pick<Runtime, 'db' | 'clock'>;

/** @returns everything the overview shows. Days that a worker has added up are read, all others counted: it is right either way. */
export async function showOverview(
  { db, clock }: Needs,
  access: MerchantAccess,
  { period }: { readonly period: Period },
): Promise<Result<Overview, 'not_allowed'>> {
  if (!may(access, 'overview.view')) return fail('not_allowed');
  const { scope } = access;
  const at = clock();
  const today = eastAfricanDay(at);
  const comparisons = comparisonsAt(at);
  const days = daysFrom(addDays(today, 1 - period), today);
  const usualFrom = addDays(today, 1 - USUAL_DAYS);
  const earliest = comparisons.map(({ before }) => eastAfricanDay(before.from));
  const first = [...earliest, usualFrom, ...days].sort()[0] ?? today;

  const [known, rests, facts, steps] = await Promise.all([
    readDays(db, scope, { first, today }),
    sumSpans(
      db,
      scope,
      comparisons.map(({ before }) => cutIntoDays(before).rest),
    ),
    readFacts({ db, clock }, access, at),
    findFirstSteps(db, scope),
  ]);
  const attempts = known.attempts.filter(({ day }) => days.includes(day));
  return ok({
    at,
    period,
    attention: findAttention({ ...facts, ...usualOf(known, usualFrom, today) }),
    steps,
    stretches: comparisons.map((comparison, index) => compareStretch(comparison, known.payments, rests[index] ?? 0n)),
    totals: totalsOf(known.payments, days),
    days: dayFigures(known.payments, days),
    networks: networkFigures(attempts),
    reasons: reasonFigures(attempts),
  });
}

type Usual = Pick<AttentionFacts, 'usual' | 'limitedToday'>;

function usualOf({ attempts }: KnownDays, usualFrom: string, today: string): Usual {
  const limited = attempts.filter(({ day, reason }) => day === today && reason === 'too_many_prompts');
  return {
    usual: networkFigures(attempts.filter(({ day }) => day >= usualFrom)),
    limitedToday: limited.reduce((sum, { count }) => sum + count, 0),
  };
}

async function readFacts({ db, clock }: Needs, access: MerchantAccess, now: Date): Promise<Omit<AttentionFacts, keyof Usual>> {
  const { scope, status } = access;
  const [releasable, reviews, owned, endpoint, exhausted, keys, recent, served] = await Promise.all([
    findReleasable(db, scope, addMs(now, -RELEASE_AFTER_MS)),
    findOpenReviews(db, scope),
    listOwnUnmatched(db, scope),
    findEndpointFacts(db, scope),
    findExhausted(db, scope, addMs(now, -EXHAUSTED_MS)),
    listExpiringKeys({ db, clock }, access),
    countRecent(db, scope, addMs(now, -RECENT_MS)),
    listServedNetworks(db, scope),
  ]);
  const unmatched = {
    count: owned.length,
    since: owned[0]?.recordedAt ?? null,
    bills: owned.slice(0, NAMED).map(({ billId: id, reference }) => ({ id, reference })),
    amount: owned.reduce((sum, { unmatched: amount }) => sum + amount, 0n),
  };
  return { status, releasable, reviews, unmatched, endpoint, exhausted, keys, recent, served };
}

import { addMs, DAY_MS, MINUTE_MS } from '@/lib/core/clock';
import type { Scope } from '@/lib/core/scope';
import { listExpiringKeys } from '@/lib/keys/show-keys';
import { listOwnUnmatched } from '@/lib/payments/ledger/listing-store';
import { RELEASE_AFTER_MS } from '@/lib/payments/rules';
import { listNetworkHealth } from '@/lib/providers/accounts/serving-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type AttentionFacts, NAMED } from './attention-facts';
import { countRecent, findEndpointFacts, findExhausted, findOpenReviews, findOverpaid, findReleasable } from './attention-store';
import { networkFigures } from './figures';
import { addDays, type Day } from './periods';
import type { KnownDays } from './read-days';

/** The usual failure rate, and which networks customers use, are determined from this many days. */
const USUAL_DAYS = 30;
/** The time in which network failures count as current, in milliseconds. */
const RECENT_MS = 15 * MINUTE_MS;
/** Older exhausted deliveries are not reported. */
const EXHAUSTED_MS = 30 * DAY_MS;

/** Older excess payments are not reported. They can still be found in the bill list. */
const OVERPAID_MS = 30 * DAY_MS;

/** The facts that come from the daily sums. */
type Usual = Pick<AttentionFacts, 'usual' | 'limitedToday'>;

/** Returns the first of the days that show what is usual: the failure rate, and the networks that customers use. */
export function usualFrom(today: Day): Day {
  return addDays(today, 1 - USUAL_DAYS);
}

/** Returns the facts that come from the daily sums. The sums must include all days from `usualFrom` to today. */
export function usualOf({ attempts }: KnownDays, today: Day): Usual {
  const limited = attempts.filter(({ day, reason }) => day === today && reason === 'too_many_prompts');
  return {
    usual: networkFigures(attempts.filter(({ day }) => day >= usualFrom(today))),
    limitedToday: limited.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Returns the facts that do not come from the daily sums. */
export async function readAttentionFacts(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  scope: Scope,
  status: AttentionFacts['status'],
): Promise<Omit<AttentionFacts, keyof Usual>> {
  const now = clock();
  const [releasable, reviews, owned, overpaid, endpoint, exhausted, keys, recent, served] = await Promise.all([
    findReleasable(db, { ...scope, before: addMs(now, -RELEASE_AFTER_MS) }),
    findOpenReviews(db, scope),
    listOwnUnmatched(db, scope),
    findOverpaid(db, scope, addMs(now, -OVERPAID_MS)),
    findEndpointFacts(db, scope),
    findExhausted(db, scope, addMs(now, -EXHAUSTED_MS)),
    listExpiringKeys({ db, clock }, scope),
    countRecent(db, scope, addMs(now, -RECENT_MS)),
    listNetworkHealth(db, scope, now),
  ]);
  const unmatched = {
    count: owned.length,
    since: owned[0]?.recordedAt ?? null,
    bills: owned.flatMap(({ billId: id, reference }) => (id !== null && reference !== null ? { id, reference } : [])).slice(0, NAMED),
    amount: owned.reduce((sum, { unmatched: amount }) => sum + amount, 0n),
  };
  return { status, releasable, reviews, unmatched, overpaid, endpoint, exhausted, keys, recent, served };
}

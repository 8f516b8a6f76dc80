import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { apiKey, membership } from '@/lib/platform/db/generated/tables';
import { boolean, nullable, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type AttentionItem, findAttention } from './attention-rules';
import { sumSpans } from './day-store';
import {
  type BeforeFigures,
  changeInPercent,
  type DayFigures,
  dayFigures,
  firstShown,
  type HourFigures,
  hourFigures,
  type NetworkFigures,
  netBefore,
  networkFigures,
  type ReasonFigures,
  type ReceivedThrough,
  type RequestFigures,
  reasonFigures,
  receivedThrough,
  requestFigures,
  type Totals,
  totalsOf,
  type UnpaidFigures,
  unpaidFigures,
} from './figures';
import { readHours } from './hour-store';
import { type AskedRange, type Day, daysFrom, type Range, readRange, unfinishedDay } from './periods';
import { readAttentionFacts, usualFrom, usualOf } from './read-attention';
import { readDays } from './read-days';
import { readCoverage } from './rollup-store';
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

/** Dismisses the first steps of an environment for one member. The other members still see them. */
export async function hideFirstSteps(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
): Promise<Result<void, 'not_allowed'>> {
  if (!may(access, 'overview.view')) return fail('not_allowed');
  const data = { ...access.scope, userId: access.user.id, hiddenAt: clock() };
  await db.prisma.hiddenSteps.createMany({ data, skipDuplicates: true });
  return ok(undefined);
}

/** Which first steps a merchant has done in one environment, and whether the member has dismissed the list of first steps. */
interface FirstSteps {
  readonly bill: boolean;
  /** Whether the team has another member, or somebody was invited. */
  readonly team: boolean;
  readonly key: boolean;
  readonly webhook: boolean;
  /** Whether customers see a number to call on the payment page. */
  readonly support: boolean;
  /** Whether this member has dismissed the steps. */
  readonly hidden: boolean;
}

interface Member {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly userId: string;
}

const MEMBER = { ...pick(apiKey, 'merchantId environment'), userId: membership.userId };

const FIND_FIRST_STEPS = statement({
  name: 'find first steps',
  text: `SELECT EXISTS (SELECT 1 FROM api_key WHERE merchant_id = $merchantId AND environment = $environment AND revoked_at IS NULL) AS key,
           (SELECT true FROM bill WHERE merchant_id = $merchantId AND environment = $environment ORDER BY status, id LIMIT 1) IS NOT NULL AS bill,
           EXISTS (SELECT 1 FROM webhook_endpoint WHERE merchant_id = $merchantId AND environment = $environment AND url IS NOT NULL) AS webhook,
           (SELECT support_number IS NOT NULL FROM merchant WHERE id = $merchantId) IS TRUE AS support,
           EXISTS (SELECT 1 FROM membership WHERE merchant_id = $merchantId AND user_id <> $userId)
             OR EXISTS (SELECT 1 FROM invitation WHERE merchant_id = $merchantId AND revoked_at IS NULL) AS team,
           EXISTS (SELECT 1 FROM hidden_steps WHERE merchant_id = $merchantId AND user_id = $userId AND environment = $environment) AS hidden`,
  parameters: MEMBER,
  columns: { key: boolean, bill: boolean, webhook: boolean, support: boolean, team: boolean, hidden: boolean },
});

export async function findFirstSteps(db: Queryable, { merchantId, environment, userId }: Member): Promise<FirstSteps> {
  const steps = await FIND_FIRST_STEPS.first(db, { merchantId, environment, userId });
  if (!steps) throw new Error('the statement "find first steps" returned no row');
  return steps;
}

/** What is missing before the live environment of a merchant can be activated. */
interface ActivationSteps {
  /** Whether a sandbox bill was paid. */
  readonly tried: boolean;
  /** Whether customers see a number to call on the payment page. */
  readonly support: boolean;
  /** Whether this member has a second factor. In the live environment, members need one for changes. */
  readonly secondFactor: boolean;
  /** When a member asked the operator to activate the live environment; null if no member has asked. */
  readonly requestedAt: Date | null;
}

const FIND_ACTIVATION = statement({
  name: 'find what is missing for activation',
  text: `SELECT (SELECT true FROM bill WHERE merchant_id = $merchantId AND environment = 'sandbox' AND status = 'FULLY_PAID' ORDER BY id LIMIT 1)
             IS NOT NULL AS tried,
           (SELECT support_number IS NOT NULL FROM merchant WHERE id = $merchantId) IS TRUE AS support,
           EXISTS (SELECT 1 FROM second_factor WHERE user_id = $userId AND confirmed_at IS NOT NULL) AS "secondFactor",
           (SELECT activation_requested_at FROM merchant_profile WHERE merchant_id = $merchantId AND environment = $environment) AS "requestedAt"`,
  parameters: MEMBER,
  columns: { tried: boolean, support: boolean, secondFactor: boolean, requestedAt: nullable(timestamptz) },
});

export async function findActivationSteps(db: Queryable, { merchantId, environment, userId }: Member): Promise<ActivationSteps> {
  const steps = await FIND_ACTIVATION.first(db, { merchantId, environment, userId });
  if (!steps) throw new Error('the statement "find what is missing for activation" returned no row');
  return steps;
}

import { REQUEST_REASONS, type RequestReason } from '@/lib/backoffice/bill-list/bill-query';
import type { Senti } from '@/lib/platform/core/money';
import type { AttemptDay, PaymentDay } from './day-store';
import type { HourSum } from './hour-store';
import { addDays, type Day, daysFrom, type Range } from './periods';
import type { UnpaidDay } from './unpaid-store';

/** The sums of some days. Amounts are senti. */
export interface Totals {
  readonly collected: Senti;
  /** The part of `collected` that people received by hand. */
  readonly byHand: Senti;
  readonly reversed: Senti;
  /** The collected amount minus the amount that was reversed in the same time. */
  readonly net: Senti;
  readonly payments: number;
  readonly billsCreated: number;
  readonly billsPaid: number;
  /** The average time from creation to full payment in milliseconds; null if no bill was paid. */
  readonly averageMs: number | null;
}

/** The figures of the earlier days with which a range is compared. */
export interface BeforeFigures {
  readonly net: Senti;
  /** The change from the earlier net amount to that of the range, in per cent; null if the earlier net amount is not positive. */
  readonly change: number | null;
  /**
   * Null if all payments of the earlier days count. If the range ends today, today is not over. So of the last earlier day, only the
   * payments before this instant count. The instant has the present time of day.
   */
  readonly until: Date | null;
  readonly requests: RequestFigures;
}

export interface DayFigures extends Pick<Totals, 'collected' | 'reversed' | 'net' | 'payments'> {
  readonly day: Day;
  /** Whether the day belongs to the range. A short range is shown together with the days before it. */
  readonly chosen: boolean;
  /** The net amount of the day with which this day is compared; null if there is none. */
  readonly netBefore: Senti | null;
}

/** How payment requests ended. */
export interface RequestFigures {
  readonly ended: number;
  readonly succeeded: number;
}

export interface NetworkFigures extends RequestFigures {
  readonly network: string;
  /** How many of the failed attempts never reached the network. */
  readonly unavailable: number;
}

export interface ReasonFigures {
  readonly reason: RequestReason;
  readonly count: number;
}

/** Returns the sums of some days. A day that is missing in `known` has no activity. */
export function totalsOf(known: ReadonlyMap<Day, PaymentDay>, days: readonly Day[]): Totals {
  const found = days.flatMap((day) => known.get(day) ?? []);
  const sum = (of: (day: PaymentDay) => number) => found.reduce((total, day) => total + of(day), 0);
  const collected = found.reduce((total, day) => total + day.collected, 0n);
  const reversed = found.reduce((total, day) => total + day.reversed, 0n);
  const billsPaid = sum((day) => day.billsPaid);
  const paidAfterMs = found.reduce((total, day) => total + day.paidAfterMs, 0n);
  return {
    collected,
    byHand: found.reduce((total, day) => total + day.byHand, 0n),
    reversed,
    net: collected - reversed,
    payments: sum((day) => day.payments),
    billsCreated: sum((day) => day.billsCreated),
    billsPaid,
    averageMs: billsPaid === 0 ? null : Number(paidAfterMs / BigInt(billsPaid)),
  };
}

/**
 * Returns the net amount of the earlier days with which a range is compared.
 * @param netOfPart the net amount of a part of the last of these days, if only that part counts; null if the whole last day counts.
 */
export function netBefore(known: ReadonlyMap<Day, PaymentDay>, { before }: Range, netOfPart: Senti | null): Senti {
  if (netOfPart === null) return totalsOf(known, daysFrom(before.first, before.last)).net;
  return totalsOf(known, daysFrom(before.first, addDays(before.last, -1))).net + netOfPart;
}

/** Returns the change in per cent, rounded; null if the earlier amount is not positive. */
export function changeInPercent(before: Senti, now: Senti): number | null {
  return before > 0n ? Math.round((Number(now - before) / Number(before)) * 100) : null;
}

/** If a range is shorter than a week, its chart shows this many days: the range and the days before it, so that readers can compare. */
const SHOWN_LEAST = 14;
/** If a range has at least this many days, its chart compares each day with an earlier day and shows both. */
const COMPARED_LEAST = 7;

/** Returns one entry for each day of a chart, also for days without activity. */
export function dayFigures(known: ReadonlyMap<Day, PaymentDay>, { first, last, before }: Range): DayFigures[] {
  const days = daysFrom(first, last);
  const shown = days.length >= COMPARED_LEAST ? days : daysFrom(addDays(last, 1 - SHOWN_LEAST), last);
  const earlier = days.length >= COMPARED_LEAST ? daysFrom(before.first, before.last) : [];
  return shown.map((day, index) => {
    const { collected, reversed, net, payments } = totalsOf(known, [day]);
    const dayBefore = earlier[index];
    return {
      day,
      chosen: day >= first,
      collected,
      reversed,
      net,
      payments,
      netBefore: dayBefore === undefined ? null : totalsOf(known, [dayBefore]).net,
    };
  });
}

/** Returns the first day whose sums are needed for the figures of a range. */
export function firstShown({ first, last, before }: Range): Day {
  return [first, before.first, addDays(last, 1 - SHOWN_LEAST)].sort()[0] ?? first;
}

/** Returns how attempts ended. */
export function requestFigures(attempts: readonly AttemptDay[]): RequestFigures {
  const sum = (counted: readonly AttemptDay[]) => counted.reduce((total, { count }) => total + count, 0);
  return { ended: sum(attempts), succeeded: sum(attempts.filter(({ state }) => state === 'SUCCEEDED')) };
}

/** Returns how the attempts of each network ended, the network with the most attempts first. */
export function networkFigures(attempts: readonly AttemptDay[]): NetworkFigures[] {
  const count = (ended: readonly AttemptDay[], holds: (attempt: AttemptDay) => boolean) =>
    ended.filter(holds).reduce((sum, attempt) => sum + attempt.count, 0);
  return [...Map.groupBy(attempts, ({ network }) => network)]
    .map(([network, ended]) => ({
      network,
      ...requestFigures(ended),
      unavailable: count(ended, ({ reason }) => reason === 'provider_unavailable'),
    }))
    .sort((a, b) => b.ended - a.ended || (a.network < b.network ? -1 : 1));
}

/** Returns why attempts ended without a payment, the most frequent reason first. */
export function reasonFigures(attempts: readonly AttemptDay[]): ReasonFigures[] {
  const failed = attempts.filter(({ state }) => state !== 'SUCCEEDED');
  return [...Map.groupBy(failed, (attempt) => requestReason(attempt))]
    .map(([reason, ended]) => ({ reason, count: ended.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

function requestReason({ state, reason }: Pick<AttemptDay, 'state' | 'reason'>): RequestReason {
  if (state === 'EXPIRED' || reason === 'user_timeout') return 'no_answer';
  return REQUEST_REASONS.find((one) => one === reason) ?? 'none';
}

interface Received {
  /** Payments, without reversals. Senti. */
  readonly amount: Senti;
  readonly payments: number;
}

export interface HourFigures extends Received {
  readonly hour: number;
}

export interface ReceivedThrough extends Received {
  readonly network: string;
}

/** Returns one entry for each of the 24 hours of a day. */
export function hourFigures(sums: readonly HourSum[]): HourFigures[] {
  return Array.from({ length: 24 }, (_, hour) => ({ hour, ...received(sums.filter((one) => one.hour === hour)) }));
}

/** Returns the payments through each network, the network with the largest amount first. */
export function receivedThrough(sums: readonly HourSum[]): ReceivedThrough[] {
  return [...Map.groupBy(sums, ({ network }) => network)]
    .map(([network, found]) => ({ network, ...received(found) }))
    .sort((a, b) => Number(b.amount - a.amount) || (a.network < b.network ? -1 : 1));
}

function received(sums: readonly HourSum[]): Received {
  return {
    amount: sums.reduce((total, { amount }) => total + amount, 0n),
    payments: sums.reduce((total, { payments }) => total + payments, 0),
  };
}

interface Bounds {
  /** The lowest and the highest age of the bills in days, both inclusive. `oldest` is null if there is no highest age. */
  readonly newest: number;
  readonly oldest: number | null;
}

/** The ages of unpaid bills, in days since their creation. */
const AGES = {
  today: { newest: 0, oldest: 0 },
  week: { newest: 1, oldest: 7 },
  month: { newest: 8, oldest: 30 },
  older: { newest: 31, oldest: null },
} as const satisfies Readonly<Record<string, Bounds>>;
type Age = keyof typeof AGES;

interface Unpaid {
  readonly bills: number;
  /** The sum of the missing amounts of these bills, senti. */
  readonly amount: Senti;
}

interface UnpaidAge extends Unpaid {
  readonly age: Age;
  /** The first and the last day of creation, both inclusive. `first` is null for the age `older`, which has no first day. */
  readonly first: Day | null;
  readonly last: Day;
}

/** The open bills that are not fully paid, in all and by their age. */
export interface UnpaidFigures extends Unpaid {
  /** The open bills that are not fully paid and were due before today. `last` is yesterday. */
  readonly overdue: Unpaid & { readonly last: Day };
  readonly ages: readonly UnpaidAge[];
}

export function unpaidFigures(days: readonly UnpaidDay[], overdue: Unpaid, today: Day): UnpaidFigures {
  const sum = (found: readonly UnpaidDay[]): Unpaid => ({
    bills: found.reduce((total, { bills }) => total + bills, 0),
    amount: found.reduce((total, { amount }) => total + amount, 0n),
  });
  const ageFigures = (age: Age): UnpaidAge => {
    const { newest, oldest } = AGES[age];
    const first = oldest === null ? null : addDays(today, -oldest);
    const last = addDays(today, -newest);
    // A bill can have a day after today, if the clock of the server that created it was ahead. Such a bill counts as created today.
    const within = days.filter(({ day }) => (first === null || day >= first) && (day <= last || age === 'today'));
    return { age, first, last, ...sum(within) };
  };
  return {
    ...sum(days),
    overdue: { ...overdue, last: addDays(today, -1) },
    ages: [ageFigures('today'), ageFigures('week'), ageFigures('month'), ageFigures('older')],
  };
}

import { REQUEST_REASONS, type RequestReason } from '@/lib/bills/list/filter';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import type { Senti } from '@/lib/core/money';
import type { AttemptDay, PaymentDay } from './day-store';
import { type Comparison, cutIntoDays, type Day, daysFrom } from './periods';

/** The sums of some days. Amounts are senti. */
export interface Totals {
  readonly collected: Senti;
  readonly reversed: Senti;
  /** Collected minus reversed in the same time. */
  readonly net: Senti;
  readonly payments: number;
  readonly billsCreated: number;
  readonly billsPaid: number;
  /** The average time from creation to full payment in milliseconds; null if no bill was paid. */
  readonly averageMs: number | null;
}

export interface IntervalFigures extends Comparison, Totals {
  /** The net amount of the previous interval. */
  readonly netBefore: Senti;
  /** The change in per cent; null if the previous interval has no net amount. */
  readonly change: number | null;
}

export interface DayFigures extends Pick<Totals, 'collected' | 'reversed' | 'net' | 'payments'> {
  readonly day: Day;
}

export interface NetworkFigures {
  readonly network: string;
  readonly ended: number;
  readonly succeeded: number;
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
    reversed,
    net: collected - reversed,
    payments: sum((day) => day.payments),
    billsCreated: sum((day) => day.billsCreated),
    billsPaid,
    averageMs: billsPaid === 0 ? null : Number(paidAfterMs / BigInt(billsPaid)),
  };
}

/**
 * Compares an interval with the previous one. `known` must contain every whole day of both, and today. `restBefore` is the net amount of
 * the last day of the previous interval up to the same time.
 */
export function compareInterval(comparison: Comparison, known: ReadonlyMap<Day, PaymentDay>, restBefore: Senti): IntervalFigures {
  const totals = totalsOf(known, daysFrom(eastAfricanDay(comparison.now.from), eastAfricanDay(comparison.now.to)));
  const netBefore = totalsOf(known, cutIntoDays(comparison.before).days).net + restBefore;
  return { ...comparison, ...totals, netBefore, change: changeInPercent(netBefore, totals.net) };
}

/** Returns the change in per cent, rounded; null if there was nothing before. */
export function changeInPercent(before: Senti, now: Senti): number | null {
  return before > 0n ? Math.round((Number(now - before) / Number(before)) * 100) : null;
}

/** Returns one entry per day, also for days without activity. */
export function dayFigures(known: ReadonlyMap<Day, PaymentDay>, days: readonly Day[]): DayFigures[] {
  return days.map((day) => {
    const { collected = 0n, reversed = 0n, payments = 0 } = known.get(day) ?? {};
    return { day, collected, reversed, net: collected - reversed, payments };
  });
}

/** Returns how the attempts of each network ended, the network with the most attempts first. */
export function networkFigures(attempts: readonly AttemptDay[]): NetworkFigures[] {
  const count = (ended: readonly AttemptDay[], holds: (attempt: AttemptDay) => boolean) =>
    ended.filter(holds).reduce((sum, attempt) => sum + attempt.count, 0);
  return [...Map.groupBy(attempts, ({ network }) => network)]
    .map(([network, ended]) => ({
      network,
      ended: count(ended, () => true),
      succeeded: count(ended, ({ state }) => state === 'SUCCEEDED'),
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

import { eastAfricanDay } from '@/lib/core/east-african-day';
import type { Senti } from '@/lib/core/money';
import type { AttemptDay, PaymentDay } from './day-store';
import { type Comparison, cutIntoDays, type Day, daysFrom } from './periods';

/** What some days come to. Amounts are senti. */
export interface Totals {
  readonly collected: Senti;
  readonly reversed: Senti;
  /** What was collected and has not gone back in the same time. */
  readonly net: Senti;
  readonly payments: number;
  readonly billsCreated: number;
  readonly billsPaid: number;
  /** From a bill's creation until it was paid, milliseconds; null where none was. */
  readonly averageMs: number | null;
}

export interface StretchFigures extends Comparison, Totals {
  /** What the same stretch before came to, reversals taken off. */
  readonly netBefore: Senti;
  /** In per cent of that; null where there was nothing to compare with. */
  readonly change: number | null;
}

export interface DayFigures {
  readonly day: Day;
  readonly collected: Senti;
  readonly reversed: Senti;
  readonly net: Senti;
  readonly payments: number;
}

export interface NetworkFigures {
  readonly network: string;
  readonly ended: number;
  readonly succeeded: number;
  /** How many of those that failed never reached the network. */
  readonly unavailable: number;
}

export interface ReasonFigures {
  /** Why, as providers' words are understood; `expired` for a prompt that ran out, empty where nobody said. */
  readonly reason: string;
  readonly count: number;
}

/** Pure. @returns the sum of some days out of those that are known; one that is not known is one on which nothing happened. */
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
 * Pure. @param known every whole day of both stretches, today among them. @param restBefore what came in on the last day of the
 * stretch before until its end.
 */
export function compareStretch(comparison: Comparison, known: ReadonlyMap<Day, PaymentDay>, restBefore: Senti): StretchFigures {
  const totals = totalsOf(known, daysFrom(eastAfricanDay(comparison.now.from), eastAfricanDay(comparison.now.to)));
  const netBefore = totalsOf(known, cutIntoDays(comparison.before).days).net + restBefore;
  return { ...comparison, ...totals, netBefore, change: changeInPercent(netBefore, totals.net) };
}

/** @returns by how much per cent something grew, rounded; null from nothing, or from less. */
export function changeInPercent(before: Senti, now: Senti): number | null {
  return before > 0n ? Math.round((Number(now - before) / Number(before)) * 100) : null;
}

/** Pure. @returns one entry for each day, also those on which nothing happened. */
export function dayFigures(known: ReadonlyMap<Day, PaymentDay>, days: readonly Day[]): DayFigures[] {
  return days.map((day) => {
    const { collected = 0n, reversed = 0n, payments = 0 } = known.get(day) ?? {};
    return { day, collected, reversed, net: collected - reversed, payments };
  });
}

/** Pure. @returns how each network's prompts ended, the one with most first. */
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

/** Pure. @returns why prompts ended without a payment, the most frequent reason first. */
export function reasonFigures(attempts: readonly AttemptDay[]): ReasonFigures[] {
  const failed = attempts.filter(({ state }) => state !== 'SUCCEEDED');
  return [...Map.groupBy(failed, ({ state, reason }) => (state === 'EXPIRED' ? 'expired' : reason))]
    .map(([reason, ended]) => ({ reason, count: ended.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

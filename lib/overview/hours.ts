import type { Senti } from '@/lib/core/money';
import type { HourSum } from './hour-store';

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

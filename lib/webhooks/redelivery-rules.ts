import { addMs, DAY_MS } from '@/lib/core/clock';

/** What can be sent again: everything that is not on its way. */
export const REDELIVERED_STATES = ['EXHAUSTED', 'UNSENT', 'DELIVERED'] as const;
export type RedeliveredState = (typeof REDELIVERED_STATES)[number];
/** What is sent again in bulk unless more is asked for: what never arrived. */
export const MISSED_STATES: readonly RedeliveredState[] = ['EXHAUSTED', 'UNSENT'];

/** Deliveries per second that one run sets going. */
export const PACE = { least: 1, most: 500, usual: 20 } as const;

export type RedeliveryState = 'RUNNING' | 'COMPLETED' | 'CANCELLED';

/** Which deliveries: created from `from` until before `to`, and in one of these states. */
export interface Selection {
  readonly from: Date;
  readonly to: Date;
  readonly states: readonly RedeliveredState[];
}

/** How far the instant in an id may be from when its row says that it was created: the clocks of several machines made them. */
const ID_SLACK_MS = DAY_MS;

/**
 * Ids begin with their instant, so that a period is a range of the index; the exact instants are compared beside.
 * @returns ids that everything created in a period lies between.
 */
export function idRange({ from, to }: Pick<Selection, 'from' | 'to'>): { readonly after: string; readonly before: string } {
  return { after: lowestId(addMs(from, -ID_SLACK_MS)), before: lowestId(addMs(to, ID_SLACK_MS)) };
}

/** @returns the lowest id of an instant: 48 bits of milliseconds come first in a UUIDv7 (RFC 9562). */
function lowestId(instant: Date): string {
  const ms = Math.min(Math.max(instant.getTime(), 0), 2 ** 48 - 1);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

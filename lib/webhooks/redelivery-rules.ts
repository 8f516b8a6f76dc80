import { DAY_MS } from '@/lib/core/clock';

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

/** Ids begin with their instant (RFC 9562), so that a period is a range of the index; the exact instants are compared beside. */
interface IdRange {
  /** Everything created in the period lies between these two. */
  readonly after: string;
  readonly before: string;
}

/** @param period null for one that is open to that side. Pure. */
export function idRange({ from, to }: { readonly from: Date | null; readonly to: Date | null }): IdRange {
  return { after: idAt(from ? from.getTime() - ID_SLACK_MS : 0), before: idAt(to ? to.getTime() + ID_SLACK_MS : LAST_MS) };
}

/** The last instant that fits into an id: 48 bits of milliseconds. */
const LAST_MS = 2 ** 48 - 1;

/** @returns the lowest id of an instant. */
function idAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), LAST_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

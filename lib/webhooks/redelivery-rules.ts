import { DAY_MS } from '@/lib/core/clock';
import { LAST_ID_MS, lowestId } from '@/lib/core/ids';

/** What can be sent again: everything that is not on its way. */
export const REDELIVERED_STATES = ['EXHAUSTED', 'UNSENT', 'DELIVERED'] as const;
export type RedeliveredState = (typeof REDELIVERED_STATES)[number];
/** Pure. */
export function isRedelivered(state: string): state is RedeliveredState {
  return REDELIVERED_STATES.some((one) => one === state);
}
/** What is sent again in bulk unless more is asked for: what never arrived. */
export const MISSED_STATES: readonly RedeliveredState[] = ['EXHAUSTED', 'UNSENT'];

/** Deliveries per second that one run sets going. */
export const PACE = { least: 1, most: 500, usual: 20 } as const;

export const REDELIVERY_STATES = ['RUNNING', 'COMPLETED', 'CANCELLED'] as const;
export type RedeliveryState = (typeof REDELIVERY_STATES)[number];

/** Which deliveries: created from `from` until before `to`, and in one of these states. */
export interface Selection {
  readonly from: Date;
  readonly to: Date;
  readonly states: readonly RedeliveredState[];
}

/** How far the instant in an id may be from when its row says that it was created: the clocks of several machines made them. */
const ID_SLACK_MS = DAY_MS;

/** A period as a range of ids; the exact instants are compared beside. */
interface IdRange {
  /** Everything created in the period lies between these two. */
  readonly after: string;
  readonly before: string;
}

/** @param period null for one that is open to that side. Pure. */
export function idRange({ from, to }: { readonly from: Date | null; readonly to: Date | null }): IdRange {
  return { after: lowestId(from ? from.getTime() - ID_SLACK_MS : 0), before: lowestId(to ? to.getTime() + ID_SLACK_MS : LAST_ID_MS) };
}

import { DAY_MS } from '@/lib/platform/core/clock';
import { LAST_ID_MS, lowestId } from '@/lib/platform/core/ids';

/** States from which a bulk redelivery can send a delivery again. Deliveries in the other states are already waiting or being sent. */
export const REDELIVERED_STATES = ['EXHAUSTED', 'UNSENT', 'DELIVERED'] as const;
export type RedeliveredState = (typeof REDELIVERED_STATES)[number];
export function isRedelivered(state: string): state is RedeliveredState {
  return REDELIVERED_STATES.some((one) => one === state);
}
/** The default states of a bulk redelivery: deliveries that never arrived. */
export const MISSED_STATES: readonly RedeliveredState[] = ['EXHAUSTED', 'UNSENT'];

/** Limits and default for how many deliveries one bulk redelivery makes due per second. */
export const PACE = { least: 1, most: 500, usual: 20 } as const;

export type RedeliveryState = 'RUNNING' | 'COMPLETED' | 'CANCELLED';

/** Selects deliveries by state and creation time, from `from` (inclusive) to `to` (exclusive). */
export interface Selection {
  readonly from: Date;
  readonly to: Date;
  readonly states: readonly RedeliveredState[];
}

/**
 * The largest difference between the time in the UUIDv7 of a row and the row's `created_at`. The two may come from machines with different
 * clocks.
 */
const ID_SLACK_MS = DAY_MS;

/** A range of ids (exclusive bounds) that contains every delivery of a period. Queries also compare `created_at`, which is exact. */
interface IdRange {
  readonly after: string;
  readonly before: string;
}

/** Returns the id range of a period. Null means that the period has no limit on that side. */
export function idRange({ from, to }: { readonly from: Date | null; readonly to: Date | null }): IdRange {
  return { after: lowestId(from ? from.getTime() - ID_SLACK_MS : 0), before: lowestId(to ? to.getTime() + ID_SLACK_MS : LAST_ID_MS) };
}

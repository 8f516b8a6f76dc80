/** The states of a reversal request. */
export const REVERSAL_STATES = ['QUEUED', 'SENDING', 'UNKNOWN', 'SUCCEEDED', 'FAILED'] as const;
export type ReversalState = (typeof REVERSAL_STATES)[number];

/** The next states of each state. Every open state may become SUCCEEDED, because a reported reversal is always recorded. */
export const REVERSAL_TRANSITIONS: Readonly<Record<ReversalState, readonly ReversalState[]>> = {
  QUEUED: ['SENDING', 'SUCCEEDED', 'FAILED'],
  SENDING: ['QUEUED', 'UNKNOWN', 'SUCCEEDED', 'FAILED'],
  UNKNOWN: ['SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: [],
};

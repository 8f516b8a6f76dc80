/** The life of a request to a provider to send a payment back. */
export const REVERSAL_STATES = ['QUEUED', 'SENDING', 'UNKNOWN', 'SUCCEEDED', 'FAILED'] as const;
export type ReversalState = (typeof REVERSAL_STATES)[number];

/** What each state may become. Money that went back is recorded whatever was believed. */
export const REVERSAL_TRANSITIONS: Readonly<Record<ReversalState, readonly ReversalState[]>> = {
  QUEUED: ['SENDING', 'SUCCEEDED', 'FAILED'],
  SENDING: ['QUEUED', 'UNKNOWN', 'SUCCEEDED', 'FAILED'],
  UNKNOWN: ['SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: [],
};

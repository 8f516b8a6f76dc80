/** The life of a push attempt. */
export const ATTEMPT_STATES = ['QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/**
 * What each state may become. Money is recorded whatever was believed before, so every state that is not final may become
 * SUCCEEDED; SUCCEEDED and CANCELLED are final.
 */
export const TRANSITIONS: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  QUEUED: ['SENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'],
  SENDING: ['QUEUED', 'AWAITING_CUSTOMER', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'],
  AWAITING_CUSTOMER: ['UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED'],
  UNKNOWN: ['QUEUED', 'AWAITING_CUSTOMER', 'SUCCEEDED', 'FAILED', 'EXPIRED'],
  FAILED: ['SUCCEEDED'],
  EXPIRED: ['SUCCEEDED'],
  SUCCEEDED: [],
  CANCELLED: [],
};

/** Nobody knows yet how it ends: its amount is reserved on the bill. */
const OPEN_STATES: readonly AttemptState[] = ['QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN'];

export function isOpen(state: AttemptState): boolean {
  return OPEN_STATES.includes(state);
}

export function mayBecome(from: AttemptState, to: AttemptState): boolean {
  return TRANSITIONS[from].includes(to);
}

/** Throws when a state cannot be reached from the first ones: checked at every start. */
export function checkTransitions(
  table: Readonly<Record<string, readonly string[]>> = TRANSITIONS,
  first: readonly string[] = ['QUEUED'],
): void {
  const reached = new Set(first);
  for (const state of reached) {
    const next = table[state];
    if (!next) throw new Error(`state ${state} is not defined`);
    for (const target of next) reached.add(target);
  }
  const lost = Object.keys(table).filter((state) => !reached.has(state));
  if (lost.length > 0) throw new Error(`states that nothing leads to: ${lost.join(', ')}`);
}

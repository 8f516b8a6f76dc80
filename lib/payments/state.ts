/** The states of an attempt. */
export const ATTEMPT_STATES = ['QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/**
 * The next states of each state. SUCCEEDED and CANCELLED are final. Every other state may become SUCCEEDED, because confirmed money
 * is always recorded, also after a failure.
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

/** The states without a known result. The attempt reserves its amount on the bill. */
const OPEN_STATES: readonly AttemptState[] = ['QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN'];

export function isOpen(state: AttemptState): boolean {
  return OPEN_STATES.includes(state);
}

export function mayBecome(from: AttemptState, to: AttemptState): boolean {
  return TRANSITIONS[from].includes(to);
}

/** Throws if a state cannot be reached from the first states. Every process calls it at its start. */
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
  const unreachable = Object.keys(table).filter((state) => !reached.has(state));
  if (unreachable.length > 0) throw new Error(`no state leads to these states: ${unreachable.join(', ')}`);
}

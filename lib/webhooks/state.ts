export const DELIVERY_STATES = ['BLOCKED', 'PENDING', 'SENDING', 'DELIVERED', 'EXHAUSTED', 'UNSENT'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The next states of each state. No state is final, because every delivery can be sent again. */
export const DELIVERY_TRANSITIONS: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  BLOCKED: ['PENDING'],
  // Cancelling a bulk redelivery returns deliveries that it has not sent yet to DELIVERED, EXHAUSTED or UNSENT.
  PENDING: ['SENDING', 'DELIVERED', 'EXHAUSTED', 'UNSENT'],
  SENDING: ['PENDING', 'DELIVERED', 'EXHAUSTED'],
  DELIVERED: ['PENDING'],
  EXHAUSTED: ['PENDING'],
  UNSENT: ['PENDING'],
};

/** The initial state: BLOCKED behind an open delivery of the same bill, UNSENT if the endpoint has no address, else PENDING. */
export const FIRST_DELIVERY_STATES: readonly DeliveryState[] = ['BLOCKED', 'PENDING', 'UNSENT'];

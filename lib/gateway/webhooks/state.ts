export const DELIVERY_STATES = ['BLOCKED', 'PENDING', 'SENDING', 'DELIVERED', 'EXHAUSTED', 'UNSENT'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The next states of each state. No state is final, because every delivery can be sent again. */
export const DELIVERY_TRANSITIONS: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  BLOCKED: ['PENDING'],
  // If a bulk redelivery is cancelled, its pending deliveries return to their earlier state: DELIVERED, EXHAUSTED or UNSENT.
  PENDING: ['SENDING', 'DELIVERED', 'EXHAUSTED', 'UNSENT'],
  SENDING: ['PENDING', 'DELIVERED', 'EXHAUSTED'],
  DELIVERED: ['PENDING'],
  EXHAUSTED: ['PENDING'],
  UNSENT: ['PENDING'],
};

/** The initial state: UNSENT if the endpoint has no address, BLOCKED if an earlier delivery of the bill must arrive first, else PENDING. */
export const FIRST_DELIVERY_STATES: readonly DeliveryState[] = ['BLOCKED', 'PENDING', 'UNSENT'];

/** Why a delivery is attempted: by itself, by a person, by a bulk redelivery, as a test webhook, or by a check of the receiver. */
export type DeliveryTrigger = 'automatic' | 'manual' | 'bulk' | 'test' | 'check';

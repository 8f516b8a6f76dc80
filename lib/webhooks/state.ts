/** The life of a delivery: one webhook that is owed to one endpoint. */
export const DELIVERY_STATES = ['BLOCKED', 'PENDING', 'SENDING', 'DELIVERED', 'EXHAUSTED', 'UNSENT'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What each state may become. Nothing is final: whatever ended can be sent again. */
export const DELIVERY_TRANSITIONS: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  BLOCKED: ['PENDING'],
  // A bulk redelivery that is cancelled gives back what it has not sent.
  PENDING: ['SENDING', 'DELIVERED', 'EXHAUSTED', 'UNSENT'],
  SENDING: ['PENDING', 'DELIVERED', 'EXHAUSTED'],
  DELIVERED: ['PENDING'],
  EXHAUSTED: ['PENDING'],
  UNSENT: ['PENDING'],
};

/** In which a delivery begins: behind another one of its bill, due, or without an address to go to. */
export const FIRST_DELIVERY_STATES: readonly DeliveryState[] = ['BLOCKED', 'PENDING', 'UNSENT'];

import { percentile } from '../load';

/** The moments of a charge, milliseconds since 1970; infinite if not reached. */
export interface Charge {
  readonly dueAt: number;
  readonly answeredAt: number;
  /** When the provider had received the request for the prompt. */
  readonly promptedAt: number;
  /** When the provider sent its callback. */
  readonly calledBackAt: number;
  readonly repliedAt: number;
  readonly webhookAt: number;
}

export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

/** The time that Bili adds in each stage, and in total without the provider's delay. */
export const STAGES = {
  create: ({ dueAt, answeredAt }: Charge) => answeredAt - dueAt,
  'answer to prompt': ({ answeredAt, promptedAt }: Charge) => promptedAt - answeredAt,
  callback: ({ calledBackAt, repliedAt }: Charge) => repliedAt - calledBackAt,
  'reply to webhook': ({ repliedAt, webhookAt }: Charge) => webhookAt - repliedAt,
  total: ({ dueAt, promptedAt, calledBackAt, webhookAt }: Charge) => promptedAt - dueAt + (webhookAt - calledBackAt),
} as const;

/** Returns the spread of each stage over charges that are complete. */
export function spreads(charges: readonly Charge[]): Spread[] {
  return Object.values(STAGES).map((stage) => {
    const times = charges.map(stage).sort((a, b) => a - b);
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
  });
}

/** Returns how many charges wait for Bili at a moment. Charges that wait for the provider or the customer do not count. */
export function backlogAt(charges: readonly Charge[], at: number): number {
  return charges.filter(
    ({ dueAt, promptedAt, calledBackAt, webhookAt }) => (dueAt <= at && at < promptedAt) || (calledBackAt <= at && at < webhookAt),
  ).length;
}

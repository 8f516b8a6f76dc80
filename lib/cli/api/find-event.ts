import type { ApiClient } from './client';
import { type FollowedEvent, followEvents } from './follow-events';

interface Wanted {
  readonly status: string;
  readonly billId: string | undefined;
  readonly reference: string | undefined;
  readonly since: Date;
  readonly withinMs: number;
}

/** Waits for an event of the feed. Returns undefined if it does not come in time. Throws an error if the API refuses the key. */
export async function findEvent(client: ApiClient, wanted: Wanted): Promise<FollowedEvent | undefined> {
  const { since, withinMs, status, billId, reference } = wanted;
  for await (const event of followEvents(client, { since, signal: AbortSignal.timeout(withinMs) })) {
    const { bill } = event;
    if (bill.status === status && (billId ?? bill.id) === bill.id && (reference ?? bill.reference) === bill.reference) return event;
  }
  return undefined;
}

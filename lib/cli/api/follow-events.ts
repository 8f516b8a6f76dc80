import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { parseKeepingNumbers } from '@/lib/backoffice/requests/mask';
import { formatSecret, signatureHeaders } from '@/lib/gateway/webhooks/rules';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { type ApiClient, ApiUnavailable, reasonOf } from './client';

const PAUSE_MS = SECOND_MS / 2;
const RETRY_MAX_MS = 10 * SECOND_MS;

const eventSchema = z.object({
  id: z.string(),
  date: z.number(),
  body: z.object({ bill: z.object({ id: z.string(), status: z.string(), reference: z.string() }) }),
});
const pageSchema = z.object({ events: z.array(eventSchema), cursor: z.string(), more: z.boolean() });
const rawPageSchema = z.object({ events: z.array(z.object({ body: z.unknown() })) });

export interface FollowedEvent {
  /** The id of the event. Its webhook has the same id in the header `webhook-id`. */
  readonly id: string;
  readonly at: Date;
  readonly bill: z.output<typeof eventSchema>['body']['bill'];
  /** The body of the webhook, byte for byte. */
  readonly body: string;
}

interface FollowOptions {
  /** Events before this time are left out. Null leaves out all events that exist already. */
  readonly since: Date | null;
  readonly signal: AbortSignal;
  /** Called when the API does not answer, and with null when it answers again. */
  readonly onTrouble?: (trouble: string | null) => void;
}

/** Returns the events of the feed, and waits for new ones until the signal is aborted. While the API does not answer, it tries again. */
export async function* followEvents(client: ApiClient, { since, signal, onTrouble }: FollowOptions): AsyncGenerator<FollowedEvent> {
  let cursor: string | null = null;
  let caughtUp = false;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const path: string = `events?limit=500${cursor === null ? '' : `&after=${cursor}`}`;
      const { text, code } = await client.call(path, { expected: ['after_invalid'] });
      if (failures > 0) onTrouble?.(null);
      failures = 0;
      if (code !== null) {
        // The API does not know the cursor, because the database was replaced, for example by a backup or a new sandbox. The feed is read
        // again from its start. The events that it already contains are not new.
        [cursor, caughtUp] = [null, false];
        continue;
      }
      const page = pageSchema.parse(JSON.parse(text));
      const bodies = rawPageSchema.parse(parseKeepingNumbers(text)).events;
      for (const [index, { id, date, body }] of page.events.entries()) {
        if (caughtUp || (since !== null && date >= since.getTime())) {
          yield { id, at: new Date(date), bill: body.bill, body: JSON.stringify(bodies[index]?.body) };
        }
      }
      cursor = page.cursor;
      if (page.more) continue;
      caughtUp = true;
      await pause(PAUSE_MS, signal);
    } catch (error) {
      if (!(error instanceof ApiUnavailable)) throw error;
      if (failures === 0) onTrouble?.(error.message);
      failures += 1;
      await pause(Math.min(PAUSE_MS * 2 ** failures, RETRY_MAX_MS), signal);
    }
  }
}

/** Sleeps until the time is over or the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await delay(ms, undefined, { signal }).catch(() => undefined);
}

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

const TIMEOUT_MS = 15 * SECOND_MS;

/** What a receiver answered to a forwarded webhook. */
export interface Forwarded {
  readonly id: string;
  readonly bill: FollowedEvent['bill'];
  readonly ms: number;
  /** Null if there was no answer. */
  readonly status: number | null;
  readonly error: string | null;
}

/** Returns the secret that signs the webhooks forwarded with an API key. It never changes, so a receiver must be configured only once. */
export function forwardingSecret(apiSecret: string): string {
  return formatSecret(createHmac('sha256', apiSecret).update('bili listen').digest());
}

/** Sends an event to a receiver as a signed webhook, once. */
export async function forwardEvent(
  { id, bill, body }: FollowedEvent,
  { url, secret, now }: { readonly url: string; readonly secret: string; readonly now: Date },
): Promise<Forwarded> {
  const started = performance.now();
  const signed = signatureHeaders([secret], { id, at: now, body: Buffer.from(body) });
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'Bili-Webhooks/1' };
  const facts = (status: number | null, error: string | null) => ({ id, bill, status, error, ms: Math.round(performance.now() - started) });
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    return facts(answer.status, null);
  } catch (error) {
    return facts(null, reasonOf(error));
  }
}

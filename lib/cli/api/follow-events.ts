import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { SECOND_MS } from '@/lib/core/clock';
import { parseKeepingNumbers } from '@/lib/requests/pretty-json';
import { type ApiClient, ApiUnavailable } from './client';

const PAUSE_MS = SECOND_MS / 2;
const RETRY_MAX_MS = 10 * SECOND_MS;

const eventSchema = z.object({
  id: z.string(),
  date: z.number(),
  body: z.object({ bill: z.object({ id: z.string(), status: z.string(), reference: z.string() }) }),
});
const pageSchema = z.object({ events: z.array(eventSchema), cursor: z.string(), more: z.boolean() });
const rawPageSchema = z.object({ events: z.array(z.object({ body: z.unknown() })) });

/** An event of the feed. */
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

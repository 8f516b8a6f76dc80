import { z } from 'zod';
import { BILL_STATUSES } from '@/lib/bills/rules';
import { messageId } from '@/lib/webhooks/rules';
import type { BillFeedEntry } from './feed-store';
import type { FeedPage } from './read-feed';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;
/** A decimal number without leading zeros, below 10^18, so that it fits into a bigint column. */
const CURSOR = /^(0|[1-9]\d{0,17})$/;

/** The query parameter `limit` of lists. @param what the entries of the list, for the description */
export function limitSchema(what: string) {
  return z
    .string()
    .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= LIMIT_MAX, { error: 'limit_invalid', abort: true })
    .transform(Number)
    .prefault(String(LIMIT_DEFAULT))
    .meta({ description: `How many ${what} the answer has at most: 1 to ${LIMIT_MAX}.` });
}

/** The query parameters of the event feed. Other parameters are ignored. */
export const feedQuerySchema = z.object({
  after: z
    .string()
    .regex(CURSOR, { error: 'after_invalid' })
    .transform((text) => BigInt(text))
    .prefault('0')
    .meta({ description: 'The cursor of an earlier answer. The answer starts with the event behind it.' }),
  limit: limitSchema('events'),
});

export const FEED_QUERY_FAILURES = ['after_invalid', 'limit_invalid'] as const;

const webhookSchema = z.strictObject({
  bill: z.strictObject({
    id: z.uuid(),
    mobile: z.string().nullable(),
    amount: z.number(),
    status: z.enum(BILL_STATUSES),
    reference: z.string(),
  }),
});

const eventsSchema = z.array(
  z.strictObject({
    id: z.string().meta({ description: 'The webhook-id of the event.' }),
    date: z.int().meta({ description: 'Unix milliseconds.' }),
    body: webhookSchema.meta({ description: 'The body of the webhook.' }),
  }),
);

/** The events of a bill, as `billEventsJson` writes them. */
export const billEventsSchema = z.strictObject({ events: eventsSchema });

/** A page of the event feed, as `feedJson` writes it. */
export const feedSchema = z.strictObject({
  events: eventsSchema,
  cursor: z.string().meta({ description: 'Continue with this value of `after`.' }),
  more: z.boolean().meta({ description: 'Whether there are more events behind these.' }),
});

/** Returns a page of the feed as JSON text. It contains each body byte for byte as it is sent, so that amounts keep their format. */
export function feedJson({ entries, last, more }: FeedPage): string {
  return `{"events":${entriesJson(entries)},"cursor":"${last}","more":${more}}`;
}

/** Returns the events of a bill as JSON text. */
export function billEventsJson(entries: readonly BillFeedEntry[]): string {
  return `{"events":${entriesJson(entries)}}`;
}

function entriesJson(entries: readonly BillFeedEntry[]): string {
  const events = entries.map(
    ({ deliveryId, createdAt, body }) => `{"id":"${messageId(deliveryId)}","date":${createdAt.getTime()},"body":${body.toString()}}`,
  );
  return `[${events.join(',')}]`;
}

import { z } from 'zod';
import { timeSchema } from '@/lib/gateway/bills/answer-schema';
import { BILL_DATE_EXAMPLE, billMembers, PAID_BILL_EXAMPLE } from '@/lib/gateway/bills/bill-json';
import { messageId } from '@/lib/gateway/webhooks/rules';
import type { BillFeedEntry } from './feed-store';
import type { FeedPage } from './read-feed';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;
/** A decimal number without leading zeros, below 10^18, so that it fits into a bigint column. */
const CURSOR = /^(0|[1-9]\d{0,17})$/;

/**
 * Returns the schema of the query parameter `limit` of a list.
 * @param what the word for the entries of the list, for the description of the parameter.
 */
export function limitSchema(what: string) {
  return z
    .string()
    .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= LIMIT_MAX, { error: 'limit_invalid', abort: true })
    .transform(Number)
    .prefault(String(LIMIT_DEFAULT))
    .meta({ type: 'integer', minimum: 1, maximum: LIMIT_MAX, description: `How many ${what} the answer has at most.` });
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

/** The body of a webhook, as `webhookJson` writes it. */
export const webhookSchema = z
  .strictObject({
    bill: z
      .strictObject(billMembers)
      .meta({ title: 'WebhookBill', description: 'The bill after the change. It always has exactly these five members.' }),
  })
  .meta({ title: 'Webhook', description: 'The body of a webhook. It always has exactly one member.' });

const eventSchema = z
  .strictObject({
    id: z.string().meta({ description: 'The `webhook-id` of the event. It stays the same when the webhook is sent again.' }),
    date: timeSchema('When the status changed.'),
    body: webhookSchema,
  })
  .meta({ title: 'Event', description: 'A change of the status of a bill.' });

/** The events of a bill, as `billEventsJson` writes them. */
export const billEventsSchema = z.strictObject({ events: z.array(eventSchema) });

/** A page of the event feed, as `feedJson` writes it. */
export const feedSchema = billEventsSchema.extend({
  cursor: z.string().meta({ description: 'Store it, and send it as `after` with the next request.' }),
  more: z.boolean().meta({ description: 'Whether there are more events behind these.' }),
});

const { id, mobile, amount, status, reference } = PAID_BILL_EXAMPLE;

export const WEBHOOK_EXAMPLE = { bill: { id, mobile, amount, status, reference } } satisfies z.output<typeof webhookSchema>;

export const EVENT_EXAMPLE = {
  id: 'msg_01a1fb0f-ebe9-7000-8000-d4e5f6a1b2c3',
  date: BILL_DATE_EXAMPLE + 1_500,
  body: WEBHOOK_EXAMPLE,
} satisfies z.output<typeof eventSchema>;

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

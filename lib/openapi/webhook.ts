import { WEBHOOK_EXAMPLE, webhookSchema } from '@/lib/webhooks/feed/feed-schema';
import { unwrap } from './operation';
import type { SchemaComponents } from './schemas';
import type { Operation, Parameter } from './types';

const DESCRIPTION = `Bili sends this request to the address of your webhook endpoint whenever the status of a bill changes.

1. Verify \`webhook-signature\` over the raw body, as Standard Webhooks describes: an HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<body>\`
with your signing secret. Refuse a request whose timestamp is more than 5 minutes from now.
2. Answer 2xx within 15 seconds, and do slow work afterwards.
3. Get the bill through the API, and act on its status. The same webhook can come more than once.

The webhooks of one bill come in order. A webhook that is not acknowledged is sent again with growing pauses, for about seven days.`;

function header(name: string, description: string, example: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

/** Returns the description of the webhook, as an operation of the receiver. */
export function describeWebhook(schemas: SchemaComponents): Operation {
  return {
    operationId: 'billStatusChanged',
    tags: ['Events'],
    summary: 'The status of a bill changed',
    description: unwrap(DESCRIPTION),
    security: [],
    parameters: [
      header(
        'webhook-id',
        'The id of the webhook. It stays the same when the webhook is sent again.',
        'msg_01a1fb0f-ebe9-7000-8000-d4e5f6a1b2c3',
      ),
      header('webhook-timestamp', 'When this request was sent, Unix seconds.', '1795213487'),
      header(
        'webhook-signature',
        'One or more signatures, separated by spaces. One of them must match.',
        'v1,mpt1OWpdIBDwfEwiMYi069hYw2NH4lJdIg45f5xweMI=',
      ),
      header('User-Agent', 'The sender.', 'Bili-Webhooks/1'),
    ],
    requestBody: {
      description: 'The bill after the change.',
      required: true,
      content: {
        'application/json': { schema: schemas.add(webhookSchema, { io: 'output', name: 'Webhook' }), example: WEBHOOK_EXAMPLE },
      },
    },
    responses: {
      '2XX': { description: 'You have received the webhook. Bili ignores the body of your answer.' },
      410: { description: 'You want no more webhooks. Bili disables the endpoint until somebody resumes it.' },
      '4XX': {
        description: 'A failure: Bili sends the webhook again. After 429 with `Retry-After`, it waits at least that long, up to a day.',
      },
      '5XX': {
        description: 'A failure: Bili sends the webhook again. After 503 with `Retry-After`, it waits at least that long, up to a day.',
      },
    },
  };
}

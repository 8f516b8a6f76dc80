import { readBillEvents } from '@/lib/bills/api/bill-history';
import { billEventsSchema, EVENT_EXAMPLE } from '@/lib/webhooks/feed/feed-schema';
import { historyRoute } from '../history-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = historyRoute({
  path: '/api/v3/bills/:id/events',
  summary: 'List the events of a bill',
  docs: {
    operationId: 'listBillEvents',
    tag: 'History',
    description: 'Returns the events of the bill in order, up to 1,000. Each has the body of the webhook that reports it.',
    example: { answer: { events: [EVENT_EXAMPLE] } },
  },
  response: billEventsSchema,
  read: readBillEvents,
});

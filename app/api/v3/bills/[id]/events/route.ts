import { readBillEvents } from '@/lib/bills/api/bill-history';
import { billEventsSchema } from '@/lib/webhooks/feed/feed-schema';
import { historyRoute } from '../history-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = historyRoute({
  path: '/api/v3/bills/:id/events',
  summary: 'List the events of a bill',
  response: billEventsSchema,
  read: readBillEvents,
});

import { readBillAttempts } from '@/lib/bills/api/bill-history';
import { attemptsSchema } from '@/lib/bills/api/bill-history-schema';
import { historyRoute } from '../history-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = historyRoute({
  path: '/api/v3/bills/:id/attempts',
  summary: 'List the payment requests of a bill',
  response: attemptsSchema,
  read: readBillAttempts,
});

import { readBillPayments } from '@/lib/bills/api/bill-history';
import { paymentsSchema } from '@/lib/bills/api/bill-history-schema';
import { historyRoute } from '../history-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = historyRoute({
  path: '/api/v3/bills/:id/payments',
  summary: 'List the payments of a bill',
  response: paymentsSchema,
  read: readBillPayments,
});

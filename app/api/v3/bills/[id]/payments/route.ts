import { readBillPayments } from '@/lib/bills/api/bill-history';
import { PAYMENTS_EXAMPLE, paymentsSchema } from '@/lib/bills/api/bill-history-schema';
import { historyRoute } from '../history-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = historyRoute({
  path: '/api/v3/bills/:id/payments',
  summary: 'List the payments of a bill',
  docs: {
    operationId: 'listBillPayments',
    tag: 'History',
    description: 'Returns what was booked on the bill, oldest first. The sum of the amounts is `paidAmount`.',
    example: { answer: PAYMENTS_EXAMPLE },
  },
  response: paymentsSchema,
  read: readBillPayments,
});

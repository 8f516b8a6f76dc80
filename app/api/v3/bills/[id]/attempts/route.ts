import { readBillAttempts } from '@/lib/bills/api/bill-history';
import { ATTEMPTS_EXAMPLE, attemptsSchema } from '@/lib/bills/api/bill-history-schema';
import { historyRoute } from '../history-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = historyRoute({
  path: '/api/v3/bills/:id/attempts',
  summary: 'List the payment requests of a bill',
  docs: {
    operationId: 'listBillAttempts',
    tag: 'History',
    description: 'Returns the payment requests that were sent to phones for the bill, oldest first.',
    example: { answer: ATTEMPTS_EXAMPLE },
  },
  response: attemptsSchema,
  read: readBillAttempts,
});

import { reopenMerchantBill } from '@/lib/bills/api/close-merchant-bill';
import { OPEN_BILL_EXAMPLE } from '@/lib/bills/examples';
import { changeRoute } from '../change-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = changeRoute({
  path: '/api/v3/bills/:id/reopen',
  summary: 'Reopen a bill',
  docs: {
    operationId: 'reopenBill',
    tag: 'Bills',
    description: 'Opens a closed bill again. Reopening an open bill changes nothing and succeeds. The body may be empty.',
    example: { body: { reason: 'The customer wants the order after all' }, answer: OPEN_BILL_EXAMPLE },
  },
  change: reopenMerchantBill,
});

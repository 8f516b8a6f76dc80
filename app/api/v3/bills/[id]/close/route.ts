import { closeMerchantBill } from '@/lib/bills/api/close-merchant-bill';
import { CLOSED_BILL_EXAMPLE } from '@/lib/bills/examples';
import { changeRoute } from '../change-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = changeRoute({
  path: '/api/v3/bills/:id/close',
  summary: 'Close a bill',
  docs: {
    operationId: 'closeBill',
    tag: 'Bills',
    description: `Closes a bill, for example because the order was cancelled: nobody can pay it, and no more payment requests are sent for it. Closing a
closed bill changes nothing and succeeds. A bill with an open payment request cannot be closed, because the customer may still approve it. The body may
be empty.`,
    example: { body: { reason: 'The customer cancelled the order' }, answer: CLOSED_BILL_EXAMPLE },
  },
  change: closeMerchantBill,
});

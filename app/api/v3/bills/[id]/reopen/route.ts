import { reopenMerchantBill } from '@/lib/bills/api/close-merchant-bill';
import { changeRoute } from '../change-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = changeRoute({
  path: '/api/v3/bills/:id/reopen',
  summary: 'Reopen a bill',
  change: reopenMerchantBill,
});

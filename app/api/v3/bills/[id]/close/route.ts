import { closeMerchantBill } from '@/lib/bills/api/close-merchant-bill';
import { changeRoute } from '../change-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = changeRoute({
  path: '/api/v3/bills/:id/close',
  summary: 'Close a bill',
  change: closeMerchantBill,
});

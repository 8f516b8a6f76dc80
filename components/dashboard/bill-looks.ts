import type { Look } from '@/components/ui/badge';
import type { BillStatus } from '@/lib/gateway/bills/rules';

export const BILL_LOOKS: Readonly<Record<BillStatus, Look>> = {
  NOT_PAID: { tone: 'quiet', icon: 'circle' },
  PARTIALLY_PAID: { tone: 'wait', icon: 'half' },
  FULLY_PAID: { tone: 'good', icon: 'check' },
};

/** The badge next to the status of an overpaid bill. */
export const OVERPAID_LOOK = { tone: 'wait', icon: 'warning' } as const;

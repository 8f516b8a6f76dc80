import type { Tone } from '@/components/ui/badge';
import type { IconName } from '@/components/ui/icon';
import type { BillStatus } from '@/lib/bills/rules';

/** The colour and icon of each status. */
export const BILL_LOOKS: Readonly<Record<BillStatus, { readonly tone: Tone; readonly icon: IconName }>> = {
  NOT_PAID: { tone: 'quiet', icon: 'circle' },
  PARTIALLY_PAID: { tone: 'wait', icon: 'half' },
  FULLY_PAID: { tone: 'good', icon: 'check' },
};

/** The badge next to the status of an overpaid bill. */
export const OVERPAID_LOOK = { tone: 'wait', icon: 'warning' } as const;

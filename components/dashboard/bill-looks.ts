import type { Tone } from '@/components/ui/badge';
import type { IconName } from '@/components/ui/icon';
import type { BillStatus } from '@/lib/bills/rules';

/** How each status looks, wherever it is shown. */
export const BILL_LOOKS: Readonly<Record<BillStatus, { readonly tone: Tone; readonly icon: IconName }>> = {
  NOT_PAID: { tone: 'quiet', icon: 'circle' },
  PARTIALLY_PAID: { tone: 'wait', icon: 'half' },
  FULLY_PAID: { tone: 'good', icon: 'check' },
};

/** Beside the status, of a bill that was paid too much. */
export const OVERPAID_LOOK = { tone: 'wait', icon: 'warning' } as const;

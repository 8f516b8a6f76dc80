import { type Bill, overpaidAmount } from '@/lib/bills/rules';
import { formatMoney } from '@/lib/i18n/format';

/** Returns the excess of an overpaid bill without the currency: `7,000`. */
export function excessText(bill: Pick<Bill, 'amount' | 'paidAmount'>): string {
  return formatMoney(overpaidAmount(bill)).replace(/^TZS\s/, '');
}

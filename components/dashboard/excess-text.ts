import { type Bill, overpaidAmount } from '@/lib/bills/rules';
import { formatMoney } from '@/lib/i18n/format';

/** @returns by how much a bill was paid too much, without the currency: `7,000`. */
export function excessText(bill: Pick<Bill, 'amount' | 'paidAmount'>): string {
  return formatMoney(overpaidAmount(bill)).replace(/^TZS\s/, '');
}

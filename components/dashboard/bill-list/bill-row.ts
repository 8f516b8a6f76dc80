import { type Bill, type BillStatus, isOverpaid } from '@/lib/bills/rules';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/translator';
import { excessText } from '../excess-text';

/** A bill as a line of the list, written out: the browser shows it as it is, first from the page and then from the data route. */
export interface BillRow {
  readonly id: string;
  readonly reference: string;
  readonly amount: string;
  /** Of a bill that is paid in part, or more than in full. */
  readonly paid: string | null;
  readonly status: BillStatus;
  /** By how much, of a bill that was paid too much. */
  readonly overpaid: string | null;
  readonly closed: boolean;
  readonly mobile: string | null;
  readonly created: string;
  readonly paidAt: string;
}

const NOTHING = '–';

export function billRow(bill: Bill, locale: Locale): BillRow {
  const { id, reference, amount, paidAmount, status, closedAt, mobile, createdAt, paidAt } = bill;
  return {
    id,
    reference,
    amount: formatMoney(amount),
    paid: paidAmount > 0n && paidAmount !== amount ? formatMoney(paidAmount) : null,
    status,
    overpaid: isOverpaid(bill) ? excessText(bill) : null,
    closed: closedAt !== null,
    mobile,
    created: formatInstant(createdAt, locale),
    paidAt: paidAt === null ? NOTHING : formatInstant(paidAt, locale),
  };
}

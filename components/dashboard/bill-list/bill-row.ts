import { type Bill, type BillStatus, isOverpaid } from '@/lib/bills/rules';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/translator';
import { excessText } from '../badges';

/** A row of the bill list as translated texts. The page contains the first rows, and the data route returns updated rows. */
export interface BillRow {
  readonly id: string;
  readonly reference: string;
  readonly amount: string;
  /** Null unless the bill is partially paid or overpaid. */
  readonly paid: string | null;
  readonly status: BillStatus;
  /** The excess of an overpaid bill. */
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

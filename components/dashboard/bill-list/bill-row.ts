import { type Bill, isOverpaid } from '@/lib/bills/rules';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/translator';
import { excessText } from '../badges';

const NOTHING = '–';

/** A row of the bill list as translated texts. The page contains the first rows, and the data route returns updated rows. */
export type BillRow = ReturnType<typeof billRow>;

export function billRow(bill: Bill, locale: Locale) {
  const { id, reference, amount, paidAmount, status, closedAt, mobile, createdAt, paidAt } = bill;
  return {
    id,
    reference,
    amount: formatMoney(amount),
    /** Null unless the bill is partially paid or overpaid. */
    paid: paidAmount > 0n && paidAmount !== amount ? formatMoney(paidAmount) : null,
    status,
    overpaid: isOverpaid(bill) ? excessText(bill) : null,
    closed: closedAt !== null,
    mobile,
    created: formatInstant(createdAt, locale),
    paidAt: paidAt === null ? NOTHING : formatInstant(paidAt, locale),
  };
}

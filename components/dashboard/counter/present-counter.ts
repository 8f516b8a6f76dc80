import { counterState, isAllCash } from '@/lib/backoffice/counter/counter-rules';
import type { CounterView } from '@/lib/backoffice/counter/show-counter';
import { webPayUrl } from '@/lib/gateway/bills/bill-json';
import { payableAmount, remainingAmount } from '@/lib/gateway/bills/rules';
import { formatClock, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** A bill of the counter as translated texts. */
export type CounterBill = ReturnType<typeof counterBill>;
/** What the page of the counter shows and polls. */
export type CounterData = ReturnType<typeof counterData>;

export function counterBill(row: CounterView['entries'][number], base: URL, locale: Locale) {
  const { state, reason } = counterState(row);
  const { entryId, billId, reference, amount, mobile, createdAt } = row;
  const own = reason === 'expired' || reason === 'cancelled' ? translator(locale, 'Counter')(`reason_${reason}`) : null;
  const common = reason !== null && reason !== 'expired' && reason !== 'cancelled' ? translator(locale, 'AttemptReason')(reason) : null;
  return {
    /** The id that the device gave the bill. */
    entryId,
    billId,
    reference,
    amount: formatMoney(amount),
    /** What is left to pay. */
    left: formatMoney(remainingAmount(row)),
    /** What a customer who pays in cash must pay: what is left in whole shillings, whatever payment requests are open. Senti. */
    due: payableAmount({ ...row, reservedAmount: 0n }).toString(),
    /** Whether the customer may still approve a payment request. */
    promptOpen: row.reservedAmount > 0n,
    /** What was paid in cash; null if nothing was. */
    cash: row.cashAmount > 0n ? formatMoney(row.cashAmount) : null,
    allCash: isAllCash(row),
    mobile,
    at: formatClock(createdAt),
    state,
    /** Why the last payment request did not lead to a payment. */
    reason: own ?? common,
    payUrl: webPayUrl(base, billId),
  };
}

/** `received`: the money that has arrived. `paid`: how many of the bills are fully paid. */
function counterSums({ paidAmount, bills, paid }: CounterView['today']) {
  return { received: formatMoney(paidAmount), bills, paid };
}

export function counterData({ shift, today, entries }: CounterView, base: URL, locale: Locale) {
  return {
    /** The open shift; null if there is none. The first bill opens a shift. */
    shift: shift && {
      id: shift.id,
      since: formatClock(shift.openedAt),
      /** The cash that the member took; null if it is none. Closing the shift needs a count of it. */
      cash: shift.cash > 0n ? formatMoney(shift.cash) : null,
      ...counterSums(shift.sum),
    },
    today: counterSums(today),
    bills: entries.map((row) => counterBill(row, base, locale)),
  };
}

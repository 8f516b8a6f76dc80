import { webPayUrl } from '@/lib/bills/bill-json';
import { remainingAmount } from '@/lib/bills/rules';
import { type CounterState, counterState } from '@/lib/counter/counter-rules';
import type { CounterView } from '@/lib/counter/show-counter';
import { formatClock, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

/** A bill of the counter as translated texts. */
export interface CounterBill {
  /** The id that the device gave the bill. */
  readonly entryId: string;
  readonly billId: string;
  readonly reference: string;
  readonly amount: string;
  /** What is left to pay. */
  readonly left: string;
  readonly mobile: string | null;
  readonly at: string;
  readonly state: CounterState;
  /** Why the last payment request did not lead to a payment. */
  readonly reason: string | null;
  readonly payUrl: string;
}

interface CounterSums {
  /** The money that has arrived. */
  readonly received: string;
  readonly bills: number;
  /** How many of the bills are fully paid. */
  readonly paid: number;
}

/** What the page of the counter shows and polls. */
export interface CounterData {
  /** The open shift; null if there is none. The first bill opens a shift. */
  readonly shift: (CounterSums & { readonly id: string; readonly since: string }) | null;
  readonly today: CounterSums;
  readonly bills: readonly CounterBill[];
}

export function counterBill(row: CounterView['entries'][number], base: URL, locale: Locale): CounterBill {
  const { state, reason } = counterState(row);
  const { entryId, billId, reference, amount, mobile, createdAt } = row;
  const own = reason === 'expired' || reason === 'cancelled' ? translator(locale, 'Counter')(`reason_${reason}`) : null;
  const common = reason !== null && reason !== 'expired' && reason !== 'cancelled' ? translator(locale, 'AttemptReason')(reason) : null;
  return {
    entryId,
    billId,
    reference,
    amount: formatMoney(amount),
    left: formatMoney(remainingAmount(row)),
    mobile,
    at: formatClock(createdAt),
    state,
    reason: own ?? common,
    payUrl: webPayUrl(base, billId),
  };
}

function counterSums({ paidAmount, bills, paid }: CounterView['today']): CounterSums {
  return { received: formatMoney(paidAmount), bills, paid };
}

export function counterData({ shift, today, entries }: CounterView, base: URL, locale: Locale): CounterData {
  return {
    shift: shift && { id: shift.id, since: formatClock(shift.openedAt), ...counterSums(shift.sum) },
    today: counterSums(today),
    bills: entries.map((row) => counterBill(row, base, locale)),
  };
}

import { excessText } from '@/components/dashboard/badges';
import type { BillPage } from '@/lib/backoffice/bill-list/list-bills';
import { isCheckBill } from '@/lib/gateway/bills/check-bills';
import { describeDue } from '@/lib/gateway/bills/due-state';
import { isOverpaid, remainingAmount } from '@/lib/gateway/bills/rules';
import { isOpen } from '@/lib/gateway/payments/rules';
import { formatAgo, formatAmount, formatInstant, formatRecent } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { isFailureReason } from '@/lib/providers/port/outcome';

/** A row of the bill list as translated texts. The page contains the first rows, and the data route returns updated rows. */
export type BillRow = ReturnType<typeof billRow>;

type ListedBill = BillPage['bills'][number];

export function billRow(bill: ListedBill, { locale, now }: { readonly locale: Locale; readonly now: Date }) {
  const { id, reference, amount, paidAmount, status, closedAt, mobile, createdAt, paidAt, customerName, description } = bill;
  const [attempt = null] = bill.attempts;
  const due = describeDue(bill, now, locale);
  const unpaid = status !== 'FULLY_PAID' && closedAt === null;
  return {
    id,
    reference,
    customer: customerName,
    description,
    overdue: due?.overdue ? due.text : null,
    amount: formatAmount(amount),
    /** Null unless the bill is partially paid or overpaid. */
    paid: paidAmount > 0n && paidAmount !== amount ? formatAmount(paidAmount) : null,
    status,
    overpaid: isOverpaid(bill) ? excessText(bill) : null,
    closed: closedAt !== null,
    check: isCheckBill(bill),
    mobile,
    created: { text: formatRecent(createdAt, now, locale), exact: formatInstant(createdAt, locale) },
    paidAt: paidAt && { text: formatRecent(paidAt, now, locale), exact: formatInstant(paidAt, locale) },
    request: unpaid && attempt ? requestText(attempt, locale, now) : null,
    /** What is left to pay, in senti. A text, because JSON has no bigint. */
    left: remainingAmount(bill).toString(),
    mayClose: unpaid && !(attempt && isOpen(attempt.state)),
    mayRequest: unpaid && (mobile ?? attempt?.mobile ?? null) !== null && !(attempt && isOpen(attempt.state)),
  };
}

/** Returns what is known about the newest payment request of an unpaid bill; null if there is nothing to show. */
function requestText(attempt: ListedBill['attempts'][number], locale: Locale, now: Date) {
  const { state, failureReason: reason, mobile, settledAt, unknownSince, createdAt } = attempt;
  const t = translator(locale, 'BillRows');
  const phone = `${mobile.slice(0, 4)}…${mobile.slice(-3)}`;
  const told = (kind: 'failed' | 'waiting' | 'unknown', text: string) => ({
    kind,
    text,
    phone,
    /** Since when the request has its state. */
    ago: formatAgo(settledAt ?? unknownSince ?? createdAt, now, locale),
  });
  if (state === 'UNKNOWN') return told('unknown', t('outcomeUnknown'));
  if (isOpen(state)) return told('waiting', t(state === 'AWAITING_CUSTOMER' ? 'onThePhone' : 'onTheWay'));
  if (state === 'EXPIRED') return told('failed', t('noAnswer'));
  if (state !== 'FAILED') return null;
  return told('failed', reason !== null && isFailureReason(reason) ? t(`reason_${reason}`) : t('failed'));
}

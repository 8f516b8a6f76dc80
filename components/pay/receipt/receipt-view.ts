import { isOverpaid, overpaidAmount, remainingAmount } from '@/lib/bills/rules';
import { maskMobile } from '@/lib/core/mobile';
import { formatDay, formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import type { ReceiptPayment } from '@/lib/receipts/rules';
import type { Receipt } from '@/lib/receipts/show-receipt';
import { type StampKind, stampOf } from './stamp';

/** The texts of a receipt, the same on the page and in the picture. */
export interface ReceiptView {
  readonly stamp: StampKind;
  /** The amount in the largest font: what is left of the payments after reversals, or, if nothing is left, what was reversed. */
  readonly amount: string;
  /** When the last payment was recorded. */
  readonly date: string;
  readonly facts: readonly { readonly term: string; readonly value: string }[];
  readonly payments: readonly {
    readonly id: string;
    readonly number: string;
    readonly about: readonly string[];
    readonly amount: string;
  }[];
  /** How the receipt can be verified; null if all payments were reversed, because then there is no receipt. */
  readonly check: { readonly code: string; readonly url: string; readonly text: string } | null;
  readonly notes: readonly string[];
  /** The note that this is a receipt of the sandbox, shown above everything else; null in live. */
  readonly test: string | null;
}

/** Returns the view of a receipt. @param receipt the receipt, or the reversed payments of a bill that is unpaid again. */
export function viewReceipt(bill: PayPage['bill'], receipt: Receipt | readonly ReceiptPayment[], locale: Locale): ReceiptView {
  const t = translator(locale, 'Receipt');
  const pay = translator(locale, 'Pay');
  const verify = translator(locale, 'Verify');
  const genuine = 'code' in receipt ? receipt : null;
  const payments = 'code' in receipt ? receipt.payments : receipt;
  const shownAmount = ({ kept, received }: ReceiptPayment) => (genuine ? kept : received);
  const last = payments.reduce((latest, { recordedAt }) => (recordedAt > latest ? recordedAt : latest), bill.createdAt);
  const remaining = remainingAmount(bill);
  const reversed = genuine ? genuine.reversed : payments.reduce((sum, { received, kept }) => sum + received - kept, 0n);
  return {
    stamp: stampOf(bill, reversed),
    amount: formatMoney(genuine ? bill.paidAmount : reversed),
    date: formatInstant(last, locale),
    facts: [
      { term: pay('reference'), value: bill.reference },
      ...(bill.description === null ? [] : [{ term: pay('description'), value: bill.description }]),
      ...(bill.customerName === null ? [] : [{ term: pay('customer'), value: bill.customerName }]),
      { term: verify('billAmount'), value: formatMoney(bill.amount) },
      ...(isOverpaid(bill) ? [{ term: pay('tooMuch'), value: formatMoney(overpaidAmount(bill)) }] : []),
      ...(remaining > 0n ? [{ term: pay('remaining'), value: formatMoney(remaining) }] : []),
      ...(remaining > 0n && bill.dueAt ? [{ term: pay('dueAt'), value: formatDay(bill.dueAt, locale) }] : []),
    ],
    payments: payments.map((payment) => ({
      id: payment.id,
      number: payment.transactionId,
      about: [
        formatInstant(payment.recordedAt, locale),
        payment.mobile === null ? t('unknownPayer') : maskMobile(payment.mobile),
        ...(payment.kept < payment.received ? [verify('sentBack', { amount: formatMoney(payment.received - payment.kept) })] : []),
      ],
      amount: formatMoney(shownAmount(payment)),
    })),
    check: genuine && {
      code: genuine.code,
      url: genuine.verifyUrl,
      text: t('codeText', { address: `${new URL(genuine.verifyUrl).host}/verify` }),
    },
    notes: [...(isOverpaid(bill) ? [t('overpaidText')] : []), ...(genuine ? [] : [verify('backText')]), pay('fiscalNote')],
    test: bill.environment === 'sandbox' ? verify('sandbox') : null,
  };
}

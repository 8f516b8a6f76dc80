import { isOverpaid, overpaidAmount, remainingAmount } from '@/lib/gateway/bills/rules';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import type { ReceiptPayment, ReceiptReturn } from '@/lib/gateway/receipts/rules';
import type { Receipt } from '@/lib/gateway/receipts/show-receipt';
import { maskMobile } from '@/lib/platform/core/mobile';
import { formatDay, formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { IconName } from './icon';

/** The texts of a receipt, the same on the page and in the picture. */
export type ReceiptView = ReturnType<typeof viewReceipt>;

/** Returns the view of a receipt. @param receipt the receipt, or the reversed payments of a bill that is unpaid again. */
export function viewReceipt(
  bill: PayPage['bill'],
  receipt: Receipt | readonly ReceiptPayment[],
  returns: readonly ReceiptReturn[],
  locale: Locale,
) {
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
    /** The amount in the largest font: what is left of the payments after reversals, or, if nothing is left, what was reversed. */
    amount: formatMoney(genuine ? bill.paidAmount : reversed),
    /** When the last payment was recorded. */
    date: formatInstant(last, locale),
    facts: [
      { term: pay('reference'), value: bill.reference },
      ...(bill.description === null ? [] : [{ term: pay('description'), value: bill.description }]),
      ...(bill.customerName === null ? [] : [{ term: pay('customer'), value: bill.customerName }]),
      { term: verify('billAmount'), value: formatMoney(bill.amount) },
      ...(isOverpaid(bill) ? [{ term: pay('tooMuch'), value: formatMoney(overpaidAmount(bill)) }] : []),
      ...(remaining > 0n ? [{ term: pay('remaining'), value: formatMoney(remaining) }] : []),
      ...(remaining > 0n && bill.dueAt ? [{ term: pay('dueAt'), value: formatDay(bill.dueAt, locale) }] : []),
      ...returns.map(({ amount, returnedAt }) => ({
        term: pay('returnedOn', { day: formatDay(returnedAt, locale) }),
        value: formatMoney(amount),
      })),
    ],
    payments: payments.map((payment) => ({
      id: payment.id,
      number: identifyPayment(payment, locale).number,
      about: [
        formatInstant(payment.recordedAt, locale),
        ...identifyPayment(payment, locale).payer,
        ...(payment.kept < payment.received ? [verify('sentBack', { amount: formatMoney(payment.received - payment.kept) })] : []),
      ],
      amount: formatMoney(shownAmount(payment)),
    })),
    /** How the receipt can be verified; null if all payments were reversed, because then there is no receipt. */
    check: genuine && {
      code: genuine.code,
      url: genuine.verifyUrl,
      text: t('codeText', { address: `${new URL(genuine.verifyUrl).host}/verify` }),
    },
    notes: [...(isOverpaid(bill) ? [t('overpaidText')] : []), ...(genuine ? [] : [verify('backText')]), pay('fiscalNote')],
    /** The note that this is a receipt of the sandbox, shown above everything else; null in live. */
    test: bill.environment === 'sandbox' ? verify('sandbox') : null,
  };
}

/**
 * Returns the number of a payment, and the masked phone number that paid it. If a person received the money, the way (such as cash) is
 * named instead of the phone number, and without a slip instead of the number of the payment.
 */
export function identifyPayment({ id, transactionId, source, mobile }: ReceiptPayment, locale: Locale) {
  const t = translator(locale, 'Receipt');
  if (source === 'provider') return { number: transactionId, payer: [mobile === null ? t('unknownPayer') : maskMobile(mobile)] };
  const way = t(`way_${source}`);
  return transactionId === id ? { number: way, payer: [] } : { number: transactionId, payer: [way] };
}

/** The state that the stamp of a receipt names. */
export type StampKind = 'paid' | 'part' | 'overpaid' | 'partBack' | 'back';

/** Each stamp has its own word, icon and colour, with a contrast of at least 4.5:1 on white paper. */
export const STAMPS: Readonly<Record<StampKind, { readonly icon: IconName; readonly colour: string }>> = {
  paid: { icon: 'check', colour: '#0b6b41' },
  part: { icon: 'part', colour: '#8a5200' },
  overpaid: { icon: 'plus', colour: '#1c4f9c' },
  partBack: { icon: 'back', colour: '#9a3412' },
  back: { icon: 'back', colour: '#a61b1b' },
};

/** Returns the stamp of a bill that was paid at least in part. @param reversed the reversed amount, senti. */
export function stampOf(bill: Pick<PayPage['bill'], 'status' | 'amount' | 'paidAmount'>, reversed: bigint): StampKind {
  if (bill.status === 'NOT_PAID') return 'back';
  if (isOverpaid(bill)) return 'overpaid';
  if (bill.status === 'FULLY_PAID') return 'paid';
  return reversed > 0n ? 'partBack' : 'part';
}

export function stampText(kind: StampKind, locale: Locale): string {
  return translator(locale, 'Stamp')(kind);
}

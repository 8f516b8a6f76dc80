import { type Bill, payableAmount } from '@/lib/gateway/bills/rules';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { describeState } from './describe-state';
import type { LinkPreview } from './pay-shell';

/**
 * Returns what a chat shows of the link to a bill: the shop, the amount to pay or the state, the reference, and a picture of all this.
 * @param base the base address of the environment.
 */
export function previewBill(page: PayPage, base: URL, locale: Locale): LinkPreview {
  const t = translator(locale, 'Pay');
  const { bill, form } = page;
  const { merchantName } = bill;
  const title = form
    ? t('previewPay', { merchant: merchantName, amount: formatMoney(payableAmount(bill)) })
    : t('previewState', { merchant: merchantName, state: describeState(page, locale).title });
  return {
    title,
    description: `${t('reference')} ${bill.reference}`,
    image: new URL(pictureAddress(bill, 'bill', locale), base).href,
  };
}

/** The pictures of a bill: its receipt, and the preview of its link in a chat. */
export type PictureKind = 'receipt' | 'bill';

/**
 * Returns the path of a picture of a bill. The path contains the paid amount, so a payment changes it. Chats store a picture by its
 * address: with the same path, they would still show a paid bill as unpaid.
 */
export function pictureAddress({ id, paidAmount }: Pick<Bill, 'id' | 'paidAmount'>, kind: PictureKind, locale: Locale): string {
  return `/pay/picture/${id}/${kind}.png?lang=${locale}&paid=${paidAmount}`;
}

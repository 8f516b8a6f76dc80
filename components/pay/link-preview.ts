import { payableAmount } from '@/lib/bills/rules';
import { formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import { describeState } from './describe-state';
import type { LinkPreview } from './pay-shell';
import { pictureAddress } from './picture-address';

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

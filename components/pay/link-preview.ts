import { payableAmount } from '@/lib/bills/rules';
import { formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import { logoPath } from './brand';
import { describeState } from './describe-state';
import type { LinkPreview } from './pay-shell';

/** Returns what a chat shows of the link to a bill: the shop, what to pay or the state, the reference, and the shop's logo or our icon. @param base our address. */
export function previewBill(page: PayPage, base: URL, locale: Locale): LinkPreview {
  const t = translator(locale, 'Pay');
  const { bill, form } = page;
  const { merchantId, merchantName, logoHash } = bill;
  const title = form
    ? t('previewPay', { merchant: merchantName, amount: formatMoney(payableAmount(bill)) })
    : t('previewState', { merchant: merchantName, state: describeState(page, locale).title });
  return {
    title,
    description: `${t('reference')} ${bill.reference}`,
    image: new URL(logoHash === null ? '/icon-512.png' : logoPath({ merchantId, logoHash }), base).href,
  };
}

import { billPicture } from '@/components/pay/picture/bill-picture';
import { receiptPicture } from '@/components/pay/picture/receipt-picture';
import type { PictureKind } from '@/components/pay/picture-address';
import { viewReceipt } from '@/components/pay/receipt/receipt-view';
import { stampOf } from '@/components/pay/receipt/stamp';
import { remainingAmount } from '@/lib/bills/rules';
import { formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Pictured } from '@/lib/receipts/show-pictured';

/** Returns the SVG of one picture of a bill: its preview or its receipt. Returns undefined for the receipt if nothing is paid. */
export function drawingOf({ bill, receipt, logo }: Pictured, kind: PictureKind, locale: Locale): string | undefined {
  if (kind === 'bill') return billPicture({ ...describeBill(bill, locale), logo }, locale);
  return receipt && receiptPicture(viewReceipt(bill, receipt, locale), { merchant: bill.merchantName, logo, locale });
}

/** Returns the facts and texts in the picture that chats show as the preview of a bill's link. */
function describeBill(bill: Pictured['bill'], locale: Locale) {
  const { merchantName: merchant, brandColour, reference, status, closedAt, merchantActive, environment } = bill;
  const pay = translator(locale, 'Pay');
  const payable = closedAt === null && merchantActive;
  const test = environment === 'sandbox' ? pay('sandboxNote') : null;
  const about = { merchant, brandColour, reference, test, stamp: status === 'NOT_PAID' ? null : stampOf(bill, 0n) };
  if (status === 'FULLY_PAID') return { ...about, caption: translator(locale, 'Verify')('paidNow'), amount: formatMoney(bill.paidAmount) };
  const caption = status === 'PARTIALLY_PAID' ? pay('remaining') : payable ? translator(locale, 'Share')('amountLeft') : pay('amount');
  return { ...about, caption, amount: formatMoney(remainingAmount(bill)) };
}

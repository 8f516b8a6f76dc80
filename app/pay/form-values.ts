import type { FormValues } from '@/components/pay/form-problem';
import { formatMobile } from '@/lib/core/mobile';
import { toWholeShillings } from '@/lib/core/money';
import { isOperatedNetwork } from '@/lib/core/network';
import type { PayDevice } from '@/lib/http/pay-device';
import { groupDigits } from '@/lib/i18n/format';
import type { PayPage } from '@/lib/payments/page/show-pay-page';

/** Values that are shown again are cut to this length. */
const SHOWN_MAX_LENGTH = 40;

/** Returns the values of a submitted form, to show them again. */
export function sentValues(sent: URLSearchParams): FormValues {
  const network = sent.get('network') ?? '';
  return {
    mobile: (sent.get('mobile') ?? '').slice(0, SHOWN_MAX_LENGTH),
    amount: sent.get('amount')?.slice(0, SHOWN_MAX_LENGTH) ?? null,
    chosen: isOperatedNetwork(network) ? network : null,
    remember: sent.has('remember'),
  };
}

/** Returns the initial values: those of this device's last payment request, or the mobile number stored on this device. */
export function firstValues({ form, offer }: PayPage, device: PayDevice): FormValues {
  const again = form?.again ?? null;
  const mobile = again?.mobile ?? device.mobile;
  const amount = again && form?.amounts && again.amount <= form.amounts.max ? groupDigits(toWholeShillings(again.amount)) : null;
  return {
    mobile: mobile === null ? '' : fieldMobile(mobile),
    amount,
    chosen: offer?.chosen ?? null,
    remember: device.mobile !== null,
  };
}

/** Returns a mobile number as the form shows it: `0712 345 678`. */
export function fieldMobile(mobile: string): string {
  return formatMobile(mobile).replaceAll('\u00a0', ' ');
}

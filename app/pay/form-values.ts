import type { FormValues } from '@/components/pay/form-problem';
import { formatMobile } from '@/lib/core/mobile';
import { toWholeShillings } from '@/lib/core/money';
import { isOperatedNetwork } from '@/lib/core/network';
import type { PayDevice } from '@/lib/http/pay-device';
import { groupDigits } from '@/lib/i18n/format';
import type { PayPage } from '@/lib/payments/page/show-pay-page';

/** What comes back into a field is cut to this. */
const SHOWN_MAX_LENGTH = 40;

/** Pure. @returns a form as it was sent, for showing it again. */
export function sentValues(sent: URLSearchParams): FormValues {
  const network = sent.get('network') ?? '';
  return {
    mobile: (sent.get('mobile') ?? '').slice(0, SHOWN_MAX_LENGTH),
    amount: sent.get('amount')?.slice(0, SHOWN_MAX_LENGTH) ?? null,
    chosen: isOperatedNetwork(network) ? network : null,
    remember: sent.has('remember'),
  };
}

/** Pure. @returns what stands in a form that nobody has filled in: what this device asked for before, or its number. */
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

/** @returns a number as it stands in a field: `0712 345 678`. */
export function fieldMobile(mobile: string): string {
  return formatMobile(mobile).replaceAll('\u00a0', ' ');
}

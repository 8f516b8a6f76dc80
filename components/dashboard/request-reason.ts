import type { RequestReason } from '@/lib/bills/list/filter';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

/** Returns why a payment request ended without a payment. */
export function requestReasonText(reason: RequestReason, locale: Locale): string {
  return translator(locale, 'RequestReason')(reason);
}

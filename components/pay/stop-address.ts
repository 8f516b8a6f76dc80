import type { Locale } from '@/lib/i18n/translator';

/**
 * Returns the address of the page where the owner of a number can block payment requests. `billId` is null if the visitor came without a
 * bill's link.
 */
export function stopAddress(billId: string | null, locale: Locale): string {
  return `/pay?show=stop&lang=${locale}${billId === null ? '' : `&bill=${billId}`}`;
}

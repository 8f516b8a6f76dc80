import type { Locale } from '@/lib/i18n/translator';

/** @returns the address of the page where the owner of a number can stop requests to it. @param billId null for a visitor without a bill's link. */
export function stopAddress(billId: string | null, locale: Locale): string {
  return `/pay?show=stop&lang=${locale}${billId === null ? '' : `&bill=${billId}`}`;
}

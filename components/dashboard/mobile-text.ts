import { knownMobile } from '@/lib/platform/core/mobile';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** Returns a stored number for a sentence, or words for a number that was erased. */
export function mobileText(mobile: string, locale: Locale): string {
  return knownMobile(mobile) ?? translator(locale, 'Bill')('erasedNumber');
}

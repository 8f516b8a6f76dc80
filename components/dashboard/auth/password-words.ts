import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

export function passwordWords(locale: Locale): { readonly show: string; readonly hide: string; readonly what: string } {
  const t = translator(locale, 'PasswordField');
  return { show: t('show'), hide: t('hide'), what: t('what') };
}

import type { Locale } from '@/lib/i18n/locale';
import type { Option } from './fields';

/** The languages, each with its name in that language. */
export const LANGUAGES: readonly (Option & { readonly value: Locale })[] = [
  { value: 'sw', text: 'Kiswahili' },
  { value: 'en', text: 'English' },
];

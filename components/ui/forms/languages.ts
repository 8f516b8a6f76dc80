import type { Locale } from '@/lib/i18n/translator';
import type { Option } from './select';

/** Each language in its own words. */
export const LANGUAGES: readonly (Option & { readonly value: Locale })[] = [
  { value: 'sw', text: 'Kiswahili' },
  { value: 'en', text: 'English' },
];

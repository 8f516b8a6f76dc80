import type { Locale } from '@/lib/i18n/translator';
import type { Option } from './select';

/** Each in its own words, as everywhere where a language is chosen. */
export const LANGUAGES: readonly (Option & { readonly value: Locale })[] = [
  { value: 'sw', text: 'Kiswahili' },
  { value: 'en', text: 'English' },
];

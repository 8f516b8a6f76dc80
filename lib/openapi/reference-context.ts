import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { OpenApiDocument } from './types';

export interface ReferenceLanguage {
  readonly locale: Locale;
  /** Translates one line of the API description from English to the language `locale`. */
  readonly translateLine: (english: string) => string;
}

const ENGLISH: ReferenceLanguage = { locale: 'en', translateLine: (line) => line };

/** What the functions that write the API reference need: the API description, and the language of the API reference. */
export interface ReferenceContext {
  readonly document: OpenApiDocument;
  /** Translates a text of the API description to the language of the API reference. */
  readonly translate: (english: string) => string;
  /** Returns a text that is not in the API description, for example the heading of a column. */
  readonly t: ReturnType<typeof translator<'ApiReference'>>;
}

export function referenceContext(document: OpenApiDocument, { locale, translateLine } = ENGLISH): ReferenceContext {
  return { document, translate: (text) => text.replace(/[^\n]+/g, translateLine), t: translator(locale, 'ApiReference') };
}

import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { OpenApiDocument } from './types';

export interface ReferenceLanguage {
  readonly locale: Locale;
  /** Returns a line of a text of the API description, which is English, in this language. */
  readonly translateLine: (english: string) => string;
}

const ENGLISH: ReferenceLanguage = { locale: 'en', translateLine: (line) => line };

/** The API description and the language, from which the parts of a reference are written. */
export interface ReferenceContext {
  readonly document: OpenApiDocument;
  /** Returns a text of the API description in the language of the reference. */
  readonly translate: (english: string) => string;
  /** Returns a word of the reference itself, for example the head of a column. */
  readonly t: ReturnType<typeof translator<'ApiReference'>>;
}

export function referenceContext(document: OpenApiDocument, { locale, translateLine } = ENGLISH): ReferenceContext {
  return { document, translate: (text) => text.replace(/[^\n]+/g, translateLine), t: translator(locale, 'ApiReference') };
}

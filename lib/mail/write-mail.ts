import { LOCALES, type Locale } from '@/lib/i18n/translator';

/** The subject and text of a mail. */
export interface MailText {
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

/**
 * Returns a mail in the merchant's language, or in both languages, Swahili first, if `language` is null. `write` returns the mail
 * in one language.
 */
export function writeMail(language: Locale | null, write: (locale: Locale) => MailText): MailText {
  const written = (language === null ? LOCALES : [language]).map(write);
  return { subject: written.map(({ subject }) => subject).join(' / '), text: written.map(({ text }) => text).join('\n---\n\n') };
}

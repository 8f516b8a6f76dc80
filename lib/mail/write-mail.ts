import { LOCALES, type Locale } from '@/lib/i18n/translator';

/** The subject and text of a mail. */
export interface MailText {
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

/** Returns a mail in one language or, if `language` is null, in both, Swahili first. `write` returns the mail in a given language. */
export function writeMail(language: Locale | null, write: (locale: Locale) => MailText): MailText {
  const written = (language === null ? LOCALES : [language]).map(write);
  return { subject: written.map(({ subject }) => subject).join(' / '), text: written.map(({ text }) => text).join('\n---\n\n') };
}

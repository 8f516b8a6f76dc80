import { LOCALES, type Locale } from '@/lib/i18n/translator';

/** What a mail says. */
export interface MailText {
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

/** @param language null: nobody has chosen one, so it says the same in both, Swahili first. @param write gives it in one. */
export function writeMail(language: Locale | null, write: (locale: Locale) => MailText): MailText {
  const written = (language === null ? LOCALES : [language]).map(write);
  return { subject: written.map(({ subject }) => subject).join(' / '), text: written.map(({ text }) => text).join('\n---\n\n') };
}

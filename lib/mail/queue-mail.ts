import { newId } from '@/lib/core/ids';
import { isMailAddress } from '@/lib/core/mailbox';
import type { Queryable } from '@/lib/db/database';
import { LOCALES, type Locale } from '@/lib/i18n/locale';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertMail, mailContext } from './store';

export interface MailText {
  /** The subject, on one line. */
  readonly subject: string;
  readonly text: string;
}

interface MailToQueue extends MailText {
  /** E-mail addresses. Each gets a separate mail. */
  readonly to: readonly string[];
  /** The kind of mail, in one word for the operator: `webhook_failing`. */
  readonly kind: string;
  /** The merchant that the mail is about. Null if it is about none. */
  readonly merchantId: string | null;
}

/**
 * Queues mails in the caller's transaction. They are sent if the transaction commits. Stores nothing if no mail server is set up. A mail
 * to an invalid address is stored as failed, so that the operator sees it and the other mails are sent.
 */
export async function queueMail(
  runtime: Pick<Runtime, 'settings' | 'secrets' | 'clock' | 'random'>,
  { to, subject, text, kind, merchantId }: MailToQueue,
  tx: Queryable,
): Promise<void> {
  if (/[\p{Cc}\u2028\u2029]/u.test(subject))
    throw new Error(`the subject of a mail of the kind "${kind}" contains control characters or line breaks`);
  if (!runtime.settings.mail) return;
  for (const recipient of to) {
    const id = newId(runtime);
    const valid = isMailAddress(recipient);
    await insertMail(tx, {
      id,
      recipient,
      subject,
      encryptedText: valid ? runtime.secrets.encrypt(text, mailContext(id)) : null,
      kind,
      merchantId,
      failure: valid ? null : 'the e-mail address of the recipient is invalid',
      createdAt: runtime.clock(),
    });
  }
}

/** Returns a mail in `language`. If `language` is null, the mail contains both languages, Swahili first. `write` writes one language. */
export function writeMail(language: Locale | null, write: (locale: Locale) => MailText): MailText {
  const written = (language === null ? LOCALES : [language]).map(write);
  return { subject: written.map(({ subject }) => subject).join(' / '), text: written.map(({ text }) => text).join('\n---\n\n') };
}

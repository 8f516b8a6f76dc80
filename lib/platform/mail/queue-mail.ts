import { newId } from '@/lib/platform/core/ids';
import { isMailAddress } from '@/lib/platform/core/mailbox';
import type { Queryable } from '@/lib/platform/db/database';
import { mail } from '@/lib/platform/db/generated/tables';
import { pick } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { LOCALES, type Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { LANGUAGE_LINE, SIGNATURE_LINE } from './mail-html';
import { mailContext } from './store';

export interface MailText {
  /** The subject, on one line. */
  readonly subject: string;
  readonly text: string;
}

/** Why somebody gets a mail of each kind: the message that its last line shows. */
const REASONS = {
  invitation: 'invited',
  password_reset: 'requested',
  sign_up: 'requested',
  sign_up_known: 'requested',
  email_change: 'requested',
  email_known: 'requested',
  account_changed: 'account',
  webhook_warning: 'merchant',
  notice_summary: 'merchant',
  notice_money: 'merchant',
  notice_keys: 'merchant',
  notice_security: 'merchant',
  provider_outage: 'operator',
  webhook_proposal: 'operator',
} as const;

interface MailToQueue {
  /** E-mail addresses. Each gets a separate mail. */
  readonly to: readonly string[];
  readonly kind: keyof typeof REASONS;
  /** The merchant that the mail is about. Null if it is about none. */
  readonly merchantId: string | null;
  /** If null, the mail contains both languages, Swahili first. */
  readonly language: Locale | null;
  /** Writes the mail in one language. A line that is only a label and a link, `Sign in: https://…`, becomes a button: see `mailHtml`. */
  readonly write: (locale: Locale) => MailText;
}

/** Inserts a new mail. A mail with a `failure` is stored as failed. */
const INSERT_MAIL = statement({
  name: 'insert a mail',
  text: `INSERT INTO mail (id, recipient, subject, encrypted_text, kind, merchant_id, last_error, created_at, state, due_at, settled_at)
         VALUES ($id, $recipient, $subject, $encryptedText, $kind, $merchantId, $failure, $createdAt,
           CASE WHEN $failure::text IS NULL THEN 'QUEUED'::mail_state ELSE 'FAILED'::mail_state END,
           CASE WHEN $failure::text IS NULL THEN $createdAt::timestamptz END,
           CASE WHEN $failure::text IS NOT NULL THEN $createdAt::timestamptz END)`,
  parameters: {
    ...pick(mail, 'id recipient subject encryptedText kind merchantId createdAt'),
    /** Why the mail is stored as failed. Null for a mail to send. */
    failure: mail.lastError,
  },
});

/**
 * Queues mails in the caller's transaction. They are sent if the transaction commits. Stores nothing if no mail server is set up. A mail
 * to an invalid address is stored as failed, so that the operator sees it and the other mails are sent.
 */
export async function queueMail(
  runtime: Pick<Runtime, 'settings' | 'secrets' | 'clock' | 'random'>,
  { to, kind, merchantId, language, write }: MailToQueue,
  tx: Queryable,
): Promise<void> {
  const locales = language === null ? LOCALES : [language];
  const written = locales.map(write);
  const subject = written.map((one) => one.subject).join(' / ');
  if (/[\p{Cc}\u2028\u2029]/u.test(subject))
    throw new Error(`the subject of a mail of the kind "${kind}" contains control characters or line breaks`);
  const { mail: server, LIVE_BASE_URL: base, OPERATOR_NAME: sender = 'Bili' } = runtime.settings;
  if (!server) return;
  const signature = locales.map((locale) => {
    const t = translator(locale, 'MailSignature');
    return `${t('sender', { sender })}: ${base.origin}\n${t(REASONS[kind])}\n`;
  });
  const body = written.map((one) => one.text).join(`\n${LANGUAGE_LINE}\n\n`);
  const text = `${body}\n${SIGNATURE_LINE}\n${signature.join('\n')}`;
  for (const recipient of to) {
    const id = newId(runtime);
    const valid = isMailAddress(recipient);
    await INSERT_MAIL.rows(tx, {
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

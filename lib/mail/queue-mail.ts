import { newId } from '@/lib/core/ids';
import { isMailAddress } from '@/lib/core/mailbox';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertMail, mailContext } from './store';

interface MailToQueue {
  /** Addresses; each gets a mail of its own. */
  readonly to: readonly string[];
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** What it is about, in one word for the operator: `webhook_failing`. */
  readonly kind: string;
  /** Whose business it is; null when no merchant's. */
  readonly merchantId: string | null;
}

/**
 * Owes mails, in the caller's transaction: they are sent if that commits. Where no mail server is set up, nothing is stored. An
 * address that no mail can be written to becomes a mail that has failed, for the operator to see; nobody else's is held up by it.
 */
export async function queueMail(
  runtime: Pick<Runtime, 'settings' | 'secrets' | 'clock' | 'random'>,
  { to, subject, text, kind, merchantId }: MailToQueue,
  tx: Queryable,
): Promise<void> {
  if (/[\p{Cc}\u2028\u2029]/u.test(subject)) throw new Error(`the subject of a mail (${kind}) has control characters or line breaks`);
  if (!runtime.settings.mail) return;
  for (const recipient of to) {
    const id = newId(runtime);
    const writable = isMailAddress(recipient);
    await insertMail(tx, {
      id,
      recipient,
      subject,
      encryptedText: writable ? runtime.secrets.encrypt(text, mailContext(id)) : null,
      kind,
      merchantId,
      failure: writable ? null : 'this is no address that mail can be sent to',
      createdAt: runtime.clock(),
    });
  }
}

import { mailCounters } from '@/lib/accounts/sign-in/throttle-rules';
import { countAttempt } from '@/lib/accounts/sign-in/throttle-store';
import { findUserByEmail } from '@/lib/accounts/store';
import { anonymousActor } from '@/lib/core/actor';
import { isMailAddress } from '@/lib/core/mailbox';
import { fail, ok, type Result } from '@/lib/core/result';
import { type Locale, translator } from '@/lib/i18n/translator';
import { queueMail } from '@/lib/mail/queue-mail';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { makeLink } from './make-reset-link';

interface RequestOptions {
  readonly email: string;
  readonly address: string | null;
  readonly locale: Locale;
}

/**
 * Requests a link by mail for setting a new password. Returns when the next request is allowed, or a function that sends the mail.
 * Call it after the response is sent, so that the response time does not show whether the address has an account.
 */
export async function requestReset(
  runtime: NotifyRuntime,
  { email, address, locale }: RequestOptions,
): Promise<Result<() => Promise<void>, Date>> {
  const until = await countAttempt(runtime, mailCounters({ email, address, what: 'reset' }));
  if (until) return fail(until);
  return ok(async () => {
    const user = isMailAddress(email.trim()) ? await findUserByEmail(runtime.db, email.trim()) : null;
    if (!user || !runtime.settings.mail) return;
    const t = translator(locale, 'AccountMail');
    await runtime.db.transaction(async (tx) => {
      const link = await makeLink(runtime, { user, actor: anonymousActor(address), mailed: true }, tx);
      const text = t('resetText', { email: user.email, link });
      await queueMail(runtime, { to: [user.email], subject: t('resetSubject'), text, kind: 'password_reset', merchantId: null }, tx);
    });
  });
}

import { mailCounters } from '@/lib/accounts/sign-in/throttle-rules';
import { countAttempt } from '@/lib/accounts/sign-in/throttle-store';
import { findUserByEmail } from '@/lib/accounts/store';
import { hashToken, newToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { anonymousActor } from '@/lib/core/actor';
import { addMs, HOUR_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { type Locale, translator } from '@/lib/i18n/translator';
import { queueMail } from '@/lib/mail/queue-mail';
import type { NotifyRuntime, Runtime } from '@/lib/runtime/runtime';
import { insertLink } from './link-store';

const LINK_MS = 24 * HOUR_MS;

interface RequestOptions {
  readonly email: string;
  readonly address: string | null;
  readonly locale: Locale;
}

/** Returns whether this installation accepts sign-ups. */
export function isSignUpOpen({ settings }: Pick<Runtime, 'settings'>): boolean {
  return settings.SIGN_UP === 'open';
}

/**
 * Requests a link by mail for signing up. If the address has an account, its owner gets a mail that says so. The result is the same
 * in both cases. Returns when the next request is allowed, or a function that sends the mail. Call it after the response is sent.
 */
export async function requestSignUp(
  runtime: NotifyRuntime,
  { email, address, locale }: RequestOptions,
): Promise<Result<() => Promise<void>, Date>> {
  const to = email.trim().toLowerCase();
  const until = await countAttempt(runtime, mailCounters({ email: to, address, what: 'sign-up' }));
  if (until) return fail(until);
  return ok(async () => {
    if (!isSignUpOpen(runtime)) return;
    const { origin } = runtime.settings.LIVE_BASE_URL;
    const t = translator(locale, 'AccountMail');
    const known = await findUserByEmail(runtime.db, to);
    if (known) {
      const text = t('knownText', { email: to, signIn: `${origin}/sign-in`, forgot: `${origin}/forgot` });
      await queueMail(runtime, { to: [to], subject: t('knownSubject'), text, kind: 'sign_up_known', merchantId: null }, runtime.db);
      return;
    }
    const token = newToken(runtime.random);
    const createdAt = runtime.clock();
    const link = {
      id: newId(runtime),
      kind: 'sign_up',
      tokenHash: hashToken(token),
      email: to,
      userId: null,
      mailed: true,
      createdAt,
    } as const;
    await runtime.db.transaction(async (tx) => {
      await insertLink(tx, { ...link, expiresAt: addMs(createdAt, LINK_MS) });
      await recordEntry(
        runtime,
        { merchantId: null, environment: null, actor: anonymousActor(address), action: 'sign-up.asked', subject: link.id },
        tx,
      );
      const text = t('signUpText', { link: `${origin}/sign-up/finish?token=${token}` });
      await queueMail(runtime, { to: [to], subject: t('signUpSubject'), text, kind: 'sign_up', merchantId: null }, tx);
    });
  });
}

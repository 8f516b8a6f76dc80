import { isProven } from '@/lib/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { newEmailCounters } from '@/lib/accounts/sign-in/throttle-rules';
import { countAttempt } from '@/lib/accounts/sign-in/throttle-store';
import { findUserByEmail, isEmailTaken, lockUser, markEmailVerified } from '@/lib/accounts/store';
import { normalEmail } from '@/lib/accounts/team/invitation-rules';
import { hashToken, newToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs, HOUR_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { isMailAddress } from '@/lib/core/mailbox';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { queueMail } from '@/lib/mail/queue-mail';
import { isEmail } from '@/lib/merchants/rules';
import type { NotifyRuntime, ReadRuntime } from '@/lib/runtime/runtime';
import { replaceEmail } from './change-email';
import { endLinksOf, findLink, insertLink, spendLink } from './link-store';

const LINK_MS = HOUR_MS;

type RequestProblem =
  | { readonly code: 'not_proven' | 'email_wrong' | 'email_same' }
  /** Rate limited. `until`: when the next request is allowed. */
  | { readonly code: 'wait'; readonly until: Date };

/**
 * Requests a change of the user's e-mail address, confirmed by a link that is sent to the new address. If another account has that
 * address, its owner gets a mail instead. The result is the same in both cases, so it does not reveal who has an account. Returns a
 * function that sends the mail. Call it after the response is sent.
 */
export async function requestEmailChange(
  runtime: NotifyRuntime,
  account: AccountAccess,
  { email, locale }: { readonly email: string; readonly locale: Locale },
): Promise<Result<() => Promise<void>, RequestProblem>> {
  const { user, actor } = account;
  if (!isProven(account, runtime.clock())) return fail({ code: 'not_proven' });
  const to = normalEmail(email);
  if (!isEmail(to) || !isMailAddress(to)) return fail({ code: 'email_wrong' });
  if (to === user.email) return fail({ code: 'email_same' });
  const until = await countAttempt(runtime, newEmailCounters({ email: to, address: actor.address, userId: user.id }));
  if (until) return fail({ code: 'wait', until });
  return ok(async () => {
    if (!runtime.settings.mail) return;
    const { origin } = runtime.settings.LIVE_BASE_URL;
    const t = translator(locale, 'AccountMail');
    if (await findUserByEmail(runtime.db, to)) {
      const text = t('emailKnownText', { email: to, address: origin });
      await queueMail(runtime, { to: [to], subject: t('emailKnownSubject'), text, kind: 'email_known', merchantId: null }, runtime.db);
      return;
    }
    const token = newToken(runtime.random);
    const createdAt = runtime.clock();
    const link = {
      id: newId(runtime),
      kind: 'email',
      tokenHash: hashToken(token),
      email: to,
      userId: user.id,
      mailed: true,
      createdAt,
    } as const;
    await runtime.db.transaction(async (tx) => {
      await endLinksOf(tx, user.id, 'email', createdAt);
      await insertLink(tx, { ...link, expiresAt: addMs(createdAt, LINK_MS) });
      const entry = { merchantId: null, environment: null, actor, action: 'email.asked', subject: user.id };
      await recordEntry(runtime, entry, tx);
      const text = t('emailText', { email: to, link: `${origin}/account/email/confirm?token=${token}` });
      await queueMail(runtime, { to: [to], subject: t('emailSubject'), text, kind: 'email_change', merchantId: null }, tx);
    });
  });
}

/** Returns the new address of a link without using the link up. Returns null if the link does not work or another user requested it. */
export async function readEmailLink({ db, clock }: ReadRuntime, { user }: AccountAccess, token: string): Promise<string | null> {
  const link = await findLink(db, 'email', hashToken(token), clock());
  return link?.userId === user.id ? link.email : null;
}

/**
 * Changes the user's e-mail address to the one that the link was sent to. A link works once, and only for the user who requested
 * it, so a typo in the address gives nobody else the account. Returns the new address and how many other sessions ended.
 */
export async function finishEmail(
  runtime: NotifyRuntime,
  account: AccountAccess,
  token: string,
): Promise<Result<{ readonly email: string; readonly ended: number }, 'link_ended' | 'email_taken'>> {
  const { user, actor, sessionId } = account;
  const to = await readEmailLink(runtime, account, token);
  if (to === null) return fail('link_ended');
  try {
    return await runtime.db.transaction(async (tx) => {
      if ((await lockUser(tx, user.id)) !== user.email) return fail('link_ended');
      if (!(await spendLink(tx, 'email', hashToken(token), runtime.clock()))) return fail('link_ended');
      const ended = await replaceEmail(runtime, { user, to, actor, except: sessionId }, tx);
      await markEmailVerified(tx, user.id, runtime.clock());
      return ok({ email: to, ended });
    });
  } catch (error) {
    if (isEmailTaken(error)) return fail('email_taken');
    throw error;
  }
}

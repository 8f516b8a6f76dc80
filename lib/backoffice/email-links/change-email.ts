import { isProven } from '@/lib/identity/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/identity/accounts/access/grant-account';
import { endSessions } from '@/lib/identity/accounts/access/session-store';
import { notifyOwner } from '@/lib/identity/accounts/notify-owner';
import { newEmailCounters } from '@/lib/identity/accounts/sign-in/throttle-rules';
import { countAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { findUserByEmail, isEmailTaken, lockUser, markEmailVerified, type User } from '@/lib/identity/accounts/store';
import { normalEmail } from '@/lib/identity/accounts/team/invitation-rules';
import { hashToken, newToken } from '@/lib/identity/accounts/token';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { isEmail } from '@/lib/identity/merchants/rules';
import { type Actor, systemActor } from '@/lib/platform/core/actor';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { isMailAddress } from '@/lib/platform/core/mailbox';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Connection } from '@/lib/platform/db/database';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { NotifyRuntime, ReadRuntime } from '@/lib/platform/runtime/runtime';
import { endLinksOf, findLink, insertLink, spendLink } from './link-store';

export type ChangeEmailProblem = 'unknown' | 'email_wrong' | 'email_same' | 'email_taken';

/** Changes a user's e-mail address, on behalf of the operator, and ends all sessions of the user. Returns the new address. */
export async function changeEmail(
  runtime: NotifyRuntime,
  { email, to: typed, actor }: { readonly email: string; readonly to: string; readonly actor: Actor },
): Promise<Result<string, ChangeEmailProblem>> {
  const to = normalEmail(typed);
  if (!isEmail(to) || !isMailAddress(to)) return fail('email_wrong');
  const user = await findUserByEmail(runtime.db, email.trim());
  if (!user) return fail('unknown');
  if (to === user.email) return fail('email_same');
  try {
    return await runtime.db.transaction(async (tx) => {
      if ((await lockUser(tx, user.id)) !== user.email) return fail('unknown');
      await replaceEmail(runtime, { user, to, actor, except: null }, tx);
      return ok(to);
    });
  } catch (error) {
    if (isEmailTaken(error)) return fail('email_taken');
    throw error;
  }
}

interface ReplaceOptions {
  readonly user: User;
  readonly to: string;
  readonly actor: Actor;
  /** The session that stays open. Null to end all. */
  readonly except: string | null;
}

/**
 * Changes the address of a user whose row the caller's transaction has locked. Ends the user's sessions and revokes links and
 * invitations that were sent to the old mailbox, because it may belong to somebody else by now. Notifies the old address. Throws if
 * the new address is taken. Returns how many sessions ended.
 */
async function replaceEmail(runtime: NotifyRuntime, { user, to, actor, except }: ReplaceOptions, tx: Connection): Promise<number> {
  const now = runtime.clock();
  await tx.prisma.user.updateMany({ where: { id: user.id }, data: { email: to } });
  await endLinksOf(tx, user.id, null, now);
  const sessionsEnded = await endSessions(tx, user.id, except, now);
  const data = { before: { email: user.email }, after: { email: to }, sessionsEnded };
  await recordEntry(runtime, { merchantId: null, environment: null, actor, action: 'email.changed', subject: user.id, data }, tx);
  // The inviting merchant may be unrelated to this user: its audit log must not show who changed the address, or from where.
  const revoked = await tx.prisma.invitation.updateManyAndReturn({
    where: { email: user.email, acceptedAt: null, revokedAt: null },
    data: { revokedAt: now },
    select: { id: true, merchantId: true, role: true },
  });
  for (const { id, merchantId, role } of revoked) {
    const entry = { merchantId, environment: null, actor: systemActor('accounts'), action: 'invitation.revoked', subject: id };
    await recordEntry(runtime, { ...entry, data: { email: user.email, role, reason: 'this address is no longer in use' } }, tx);
  }
  await notifyOwner(runtime, user.email, 'emailChanged', tx);
  return sessionsEnded;
}

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
    if (await findUserByEmail(runtime.db, to)) {
      const write = (language: Locale) => {
        const t = translator(language, 'AccountMail');
        return { subject: t('emailKnownSubject'), text: t('emailKnownText', { email: to, address: origin }) };
      };
      await queueMail(runtime, { to: [to], kind: 'email_known', merchantId: null, language: locale, write }, runtime.db);
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
      const write = (language: Locale) => {
        const t = translator(language, 'AccountMail');
        const text = t('emailText', { email: to, link: `${origin}/account/email/confirm?token=${token}` });
        return { subject: t('emailSubject'), text };
      };
      await queueMail(runtime, { to: [to], kind: 'email_change', merchantId: null, language: locale, write }, tx);
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

import { endSessions } from '@/lib/identity/accounts/access/session-store';
import { newDeviceId } from '@/lib/identity/accounts/device';
import { notifyOwner } from '@/lib/identity/accounts/notify-owner';
import { hashPassword } from '@/lib/identity/accounts/passwords/password';
import type { PasswordProblem } from '@/lib/identity/accounts/passwords/password-limits';
import { passwordProblem } from '@/lib/identity/accounts/passwords/password-rules';
import { mailCounters } from '@/lib/identity/accounts/sign-in/throttle-rules';
import { countAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { findUserByEmail, findUserById, lockUser, markEmailVerified, type User, writePassword } from '@/lib/identity/accounts/store';
import { hashToken, newToken } from '@/lib/identity/accounts/token';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { type Actor, anonymousActor, userActor } from '@/lib/platform/core/actor';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { isMailAddress } from '@/lib/platform/core/mailbox';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Connection } from '@/lib/platform/db/database';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { NotifyRuntime, ReadRuntime, Runtime } from '@/lib/platform/runtime/runtime';
import { endLinksOf, findLink, insertLink, type OpenLink, spendLink } from './link-store';

/**
 * Requests a link by mail for setting a new password. Returns a function that sends the mail, or fails with the time at which the next
 * request is allowed. Call the function after the response is sent, so that the response time does not show whether the address has an
 * account.
 */
export async function requestReset(
  runtime: NotifyRuntime,
  { email, address, locale }: { readonly email: string; readonly address: string | null; readonly locale: Locale },
): Promise<Result<() => Promise<void>, Date>> {
  const until = await countAttempt(runtime, mailCounters({ email, address, what: 'reset' }));
  if (until) return fail(until);
  return ok(async () => {
    const user = isMailAddress(email.trim()) ? await findUserByEmail(runtime.db, email.trim()) : null;
    if (!user || !runtime.settings.mail) return;
    await runtime.db.transaction(async (tx) => {
      const link = await makeLink(runtime, { user, actor: anonymousActor(address), mailed: true }, tx);
      const write = (language: Locale) => {
        const t = translator(language, 'AccountMail');
        return { subject: t('resetSubject'), text: t('resetText', { email: user.email, link }) };
      };
      await queueMail(runtime, { to: [user.email], kind: 'password_reset', merchantId: null, language: locale, write }, tx);
    });
  });
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

const LINK_MS = HOUR_MS;

/**
 * Creates a link for the operator to hand to a user who lost the password. Returns the link, which cannot be shown again, or null if nobody
 * has this address.
 */
export async function makeResetLink(runtime: Needs, { email, actor }: { email: string; actor: Actor }): Promise<string | null> {
  const user = await findUserByEmail(runtime.db, email.trim());
  return user && runtime.db.transaction((tx) => makeLink(runtime, { user, actor, mailed: false }, tx));
}

interface MakeOptions {
  readonly user: User;
  readonly actor: Actor;
  /** Whether the link is mailed to the user and shown to nobody else. */
  readonly mailed: boolean;
}

/** Creates a reset link for a user in the caller's transaction. Returns its URL. */
export async function makeLink(runtime: Needs, { user, actor, mailed }: MakeOptions, tx: Connection): Promise<string> {
  const token = newToken(runtime.random);
  const createdAt = runtime.clock();
  const expiresAt = addMs(createdAt, LINK_MS);
  const { id: userId, email } = user;
  await insertLink(tx, { id: newId(runtime), kind: 'reset', tokenHash: hashToken(token), email, userId, mailed, createdAt, expiresAt });
  await recordEntry(runtime, { merchantId: null, environment: null, actor, action: 'password.reset-link', subject: userId }, tx);
  // The token is in the query because queries are not logged.
  return `${runtime.settings.LIVE_BASE_URL.origin}/reset?token=${token}`;
}

/** Returns a reset link without using it up, or null if it does not work or its user has changed the e-mail address since. */
export async function readResetLink({ db, clock }: ReadRuntime, token: string): Promise<OpenLink | null> {
  const link = await findLink(db, 'reset', hashToken(token), clock());
  const user = link?.userId ? await findUserById(db, link.userId) : null;
  return user?.email === link?.email ? link : null;
}

/**
 * Sets a new password by a link, which works once, and ends all sessions of the user. Does not sign the user in, and does not bypass the
 * second factor, also if it was set up before anybody proved access to the mailbox: whoever takes over a mailbox later must not get in.
 * Returns the user and the id of a new known device with the proof `mailbox`.
 */
export async function finishReset(
  runtime: NotifyRuntime,
  { token, password, address }: { readonly token: string; readonly password: string; readonly address: string | null },
): Promise<Result<{ readonly userId: string; readonly email: string; readonly device: string }, PasswordProblem | 'link_ended'>> {
  const { db, clock, random } = runtime;
  const link = await readResetLink(runtime, token);
  const user = link?.userId ? await findUserById(db, link.userId) : null;
  if (!link || !user) return fail('link_ended');
  const problem = passwordProblem(password, [user.email, user.name, ...user.merchants]);
  if (problem) return fail(problem);
  const passwordHash = await hashPassword(password);
  const spent = await db.transaction(async (tx) => {
    const now = clock();
    // The row of the user is locked first, so that the address cannot change meanwhile.
    if ((await lockUser(tx, user.id)) !== link.email) return false;
    if (!(await spendLink(tx, 'reset', hashToken(token), now))) return false;
    await writePassword(tx, user.id, passwordHash);
    await endLinksOf(tx, user.id, null, now);
    const ended = await endSessions(tx, user.id, null, now);
    const entry = { merchantId: null, environment: null, actor: userActor(user, address), action: 'password.reset', subject: user.id };
    await recordEntry(runtime, { ...entry, data: { sessionsEnded: ended } }, tx);
    await notifyOwner(runtime, user.email, 'passwordChanged', tx);
    if (link.mailed) await markEmailVerified(tx, user.id, now);
    return true;
  });
  return spent ? ok({ userId: user.id, email: user.email, device: newDeviceId(random, 'mailbox') }) : fail('link_ended');
}

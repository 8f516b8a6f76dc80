import { createMerchant } from '@/lib/backoffice/merchants/create-merchant';
import { startSession } from '@/lib/identity/accounts/access/sessions';
import { newDeviceId } from '@/lib/identity/accounts/device';
import type { PasswordProblem } from '@/lib/identity/accounts/passwords/password-limits';
import { passwordProblem } from '@/lib/identity/accounts/passwords/password-rules';
import { type NameProblem, parsePersonName } from '@/lib/identity/accounts/person-name';
import { mailCounters } from '@/lib/identity/accounts/sign-in/throttle-rules';
import { countAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { findUserByEmail } from '@/lib/identity/accounts/store';
import { hashToken, newToken } from '@/lib/identity/accounts/token';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { nameProblem } from '@/lib/identity/merchants/rules';
import { anonymousActor } from '@/lib/platform/core/actor';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { NotifyRuntime, Runtime } from '@/lib/platform/runtime/runtime';
import { findLink, insertLink, spendLink } from './link-store';

const LINK_MS = 24 * HOUR_MS;

/** Returns whether this installation accepts sign-ups. */
export function isSignUpOpen({ settings }: Pick<Runtime, 'settings'>): boolean {
  return settings.SIGN_UP === 'open';
}

/**
 * Requests a link by mail for signing up. If the address has an account, its owner gets a mail that says so. The result is the same in both
 * cases: a function that sends the mail, or the time at which the next request is allowed. Call the function after the response is sent.
 */
export async function requestSignUp(
  runtime: NotifyRuntime,
  { email, address, locale }: { readonly email: string; readonly address: string | null; readonly locale: Locale },
): Promise<Result<() => Promise<void>, Date>> {
  const to = email.trim().toLowerCase();
  const until = await countAttempt(runtime, mailCounters({ email: to, address, what: 'sign-up' }));
  if (until) return fail(until);
  return ok(async () => {
    if (!isSignUpOpen(runtime)) return;
    const { origin } = runtime.settings.LIVE_BASE_URL;
    const known = await findUserByEmail(runtime.db, to);
    if (known) {
      const write = (language: Locale) => {
        const t = translator(language, 'AccountMail');
        const text = t('knownText', { email: to, signIn: `${origin}/sign-in`, forgot: `${origin}/forgot` });
        return { subject: t('knownSubject'), text };
      };
      await queueMail(runtime, { to: [to], kind: 'sign_up_known', merchantId: null, language: locale, write }, runtime.db);
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
      const write = (language: Locale) => {
        const t = translator(language, 'AccountMail');
        return { subject: t('signUpSubject'), text: t('signUpText', { link: `${origin}/sign-up/finish?token=${token}` }) };
      };
      await queueMail(runtime, { to: [to], kind: 'sign_up', merchantId: null, language: locale, write }, tx);
    });
  });
}

/** Returns the address of a sign-up link without using the link up. Returns null if the link does not work. */
export async function readSignUpLink(runtime: Pick<Runtime, 'db' | 'clock' | 'settings'>, token: string): Promise<string | null> {
  if (!isSignUpOpen(runtime)) return null;
  const link = await findLink(runtime.db, 'sign_up', hashToken(token), runtime.clock());
  return link && !(await findUserByEmail(runtime.db, link.email)) ? link.email : null;
}

interface FinishSignUpOptions {
  readonly token: string;
  readonly business: string;
  readonly name: string;
  readonly password: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  /** The token of the browser's previous session. Signing up ends that session. */
  readonly session?: string | null;
}

/** The problem of each form field. Absent for valid fields. */
interface SignUpProblems {
  readonly business?: 'business_name';
  readonly name?: NameProblem;
  readonly password?: PasswordProblem;
}

interface SignedUp {
  readonly userId: string;
  readonly token: string;
  readonly device: string;
}

/**
 * Creates a merchant, its owner and a session for the owner. A link can be used for this only once. The sandbox is active at once. Live
 * stays pending until the operator activates it.
 */
export async function finishSignUp(
  runtime: NotifyRuntime,
  { token, business, name, password, userAgent, address, session = null }: FinishSignUpOptions,
): Promise<Result<SignedUp, SignUpProblems | 'link_ended'>> {
  const email = await readSignUpLink(runtime, token);
  if (email === null) return fail('link_ended');
  const parsedName = parsePersonName(name);
  const weak = passwordProblem(password, [email, name, business]);
  const problems: SignUpProblems = {
    ...(nameProblem(business) && { business: 'business_name' }),
    ...(!parsedName.ok && { name: parsedName.error }),
    ...(weak && { password: weak }),
  };
  if (!parsedName.ok || Object.keys(problems).length > 0) return fail(problems);
  // The link is used up first, so that only one of two concurrent requests creates a merchant. If the rest fails, the user can
  // request another link.
  if (!(await spendLink(runtime.db, 'sign_up', hashToken(token), runtime.clock()))) return fail('link_ended');
  const owner = { name: parsedName.value, password, address };
  const created = await createMerchant(runtime, { name: business, email, live: 'pending', owner });
  // Name and address are valid, so another request has created an account with this address meanwhile.
  if (!created.ok) return fail('link_ended');
  const user = await findUserByEmail(runtime.db, email);
  if (!user) throw new Error(`the merchant ${created.value.merchant.id} was created without an owner`);
  const started = await runtime.db.transaction((tx) =>
    startSession(runtime, { user, userAgent, address, codeDue: false, replaces: session }, tx),
  );
  return ok({ userId: user.id, token: started, device: newDeviceId(runtime.random, 'mailbox') });
}

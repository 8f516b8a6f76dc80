import { type Guest, type GuestAnswer, guestPage, wantedPath } from '@/app/(auth)/guest-page';
import { More, Tell } from '@/components/auth/auth-page';
import { Field, PasswordField, SendForm } from '@/components/auth/fields';
import { readUntil, waitTime } from '@/components/dashboard/wait-time';
import { isSignUpOpen } from '@/lib/backoffice/email-links/sign-up';
import { csrfOf } from '@/lib/entry/server/csrf';
import { landingPath } from '@/lib/entry/server/landing-path';
import { readTypedEmail } from '@/lib/entry/server/typed-email';
import { findHome } from '@/lib/identity/accounts/access/grant-account';
import { listDeviceCashiers } from '@/lib/identity/accounts/sign-in/sign-in-with-pin';
import { translator } from '@/lib/platform/i18n/translator';

const PAGE = '/sign-in';

/** The text about what went wrong before, by the parameter `error` of the address. */
const PROBLEMS: ReadonlyMap<string, 'wrong' | 'passwordExpired' | 'expired' | 'cookiesNeeded'> = new Map([
  ['CredentialsSignin', 'wrong'],
  ['PasswordExpired', 'passwordExpired'],
  ['Expired', 'expired'],
  ['Cookies', 'cookiesNeeded'],
]);

/** The sign-in page. Its form is sent to next-auth. */
async function show(guest: Guest): Promise<GuestAnswer> {
  const { runtime, query, locale, session, cookies } = guest;
  const wanted = wantedPath(guest, query);
  const home = await findHome(runtime, session);
  if (home.kind !== 'signed_out') return { to: await landingPath(runtime, session, wanted.startsWith(PAGE) ? '/' : wanted) };
  const [error, until] = [query.get('error'), query.get('until')];
  const [changed, joined] = [query.has('changed'), query.has('joined')];
  const cashiers = await listDeviceCashiers(runtime, guest.cashiers);
  // On a cashier's device, a visit without any of these parameters is redirected to the page for the PIN. The page for the PIN has a link
  // back to this page, for people who sign in with e-mail address and password. This link has the parameter `by`, so it is not redirected.
  const plain = error === null && until === null && !changed && !joined && !query.has('by');
  const byPin = `/sign-in/pin?${new URLSearchParams({ callbackUrl: wanted })}`;
  if (cashiers.length > 0 && plain) return { to: byPin };
  const t = translator(locale, 'SignIn');
  const more = translator(locale, 'SignInMore');
  const wait = readUntil(until ?? undefined, runtime.clock());
  const csrf = csrfOf(runtime, cookies);
  const content = (
    <>
      <p className="lead">{t('intro')}</p>
      {wait && (
        <Tell tone="wait" role="alert">
          <p>{more('wait', { time: waitTime(wait, locale) })}</p>
          <p className="small">{more('waitHint')}</p>
        </Tell>
      )}
      {error !== null && error !== 'Wait' && (
        <Tell tone="bad" role="alert">
          <p>{t(PROBLEMS.get(error) ?? 'unavailable')}</p>
        </Tell>
      )}
      {(changed || joined) && error === null && (
        <Tell tone="good" role="status">
          <p>{more(changed ? 'changed' : 'joined')}</p>
        </Tell>
      )}
      <SendForm action="/api/auth/callback/credentials" hidden={{ csrfToken: csrf.token, callbackUrl: wanted }} button={t('button')}>
        <Field
          id="email"
          type="email"
          label={t('email')}
          defaultValue={readTypedEmail(runtime, cookies)}
          autoComplete="username"
          required
          maxLength={254}
          data-keep
        />
        <PasswordField id="password" label={t('password')} locale={locale} autoComplete="current-password" />
      </SendForm>
      <More
        links={[
          { href: '/forgot', text: more('forgot') },
          cashiers.length > 0 && { href: byPin, text: translator(locale, 'PinSignIn')('byPin') },
          isSignUpOpen(runtime) && { href: '/sign-up', text: more('signUp') },
        ]}
      />
    </>
  );
  return { title: t('title'), content, cookies: [csrf.cookie] };
}

export const signIn = guestPage(show);

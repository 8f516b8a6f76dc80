import { redirect } from 'next/navigation';
import { type PlainPageProps, titled } from '@/app/page-props';
import { KeepTyped } from '@/components/dashboard/auth/keep-typed';
import { PasswordField } from '@/components/dashboard/auth/password-field';
import { passwordWords } from '@/components/dashboard/auth/password-words';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { readUntil, waitTime } from '@/components/dashboard/wait-time';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/fields';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { findHome } from '@/lib/accounts/access/grant-account';
import { listDeviceCashiers } from '@/lib/accounts/cashiers/sign-in-with-pin';
import { isSignUpOpen } from '@/lib/accounts/email-links/sign-up';
import { ownPath } from '@/lib/http/same-origin';
import { translator } from '@/lib/i18n/translator';
import { landingPath } from '@/lib/server/landing-path';
import { pageLocale } from '@/lib/server/preferences';
import { readTypedEmail } from '@/lib/server/typed-email';
import { cashierDevices, csrfToken, sessionToken } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';

const PAGE = '/sign-in';

export const generateMetadata = titled('SignIn', 'title');

/**
 * A plain form that posts to next-auth. The form needs a CSRF token in a cookie. A page cannot set cookies, so a visitor without this
 * cookie is redirected to a route of next-auth, which sets the cookie and redirects back.
 */
export default async function SignInPage({ searchParams }: PlainPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignIn');
  const runtime = webRuntime();
  const { callbackUrl, error, until, changed, joined, by } = await searchParams;
  const notices = {
    ...(changed !== undefined && { changed: '1' }),
    ...(joined !== undefined && { joined: '1' }),
    ...(by !== undefined && { by: 'email' }),
  };
  const more = translator(locale, 'SignInMore');
  const wait = readUntil(until, runtime.clock());
  const given = typeof callbackUrl === 'string' ? callbackUrl : null;
  const { origin } = runtime.settings.LIVE_BASE_URL;
  const asked = ownPath(given, origin) ?? '/';
  // next-auth drops all query parameters of this page except `callbackUrl`. To keep the others, the redirect to next-auth below puts the
  // whole URL of this page into `callbackUrl`. After the return from next-auth, `original` contains the parameters of that URL.
  const original = asked.startsWith(`${PAGE}?`) ? new URLSearchParams(asked.slice(PAGE.length)) : null;
  const wanted = original ? (ownPath(original.get('callbackUrl'), origin) ?? '/') : asked;
  const token = await sessionToken(runtime);
  const home = await findHome(runtime, token);
  if (home.kind !== 'signed_out') redirect(await landingPath(runtime, token, wanted.startsWith(PAGE) ? '/' : wanted));
  const cashiers = await listDeviceCashiers(runtime, await cashierDevices(runtime));
  // On a cashier's device, a visit without any of these parameters is redirected to the page for the PIN. The page for the PIN has a link
  // back to this page, for people who sign in with e-mail address and password. This link has the parameter `by`, so it is not redirected.
  const plain = [error, until, changed, joined, by].every((one) => one === undefined);
  if (cashiers.length > 0 && plain && !original) redirect(`/sign-in/pin?${new URLSearchParams({ callbackUrl: wanted })}`);
  const csrf = await csrfToken(runtime);
  // Only next-auth writes an absolute URL into `callbackUrl`, and it also sets the cookie. A visitor who comes from next-auth without the
  // cookie has disabled cookies.
  const cookiesDisabled = csrf === null && given?.startsWith('http');
  if (csrf === null && !cookiesDisabled) {
    const self = `${PAGE}?${new URLSearchParams({ ...notices, callbackUrl: wanted })}`;
    redirect(`/api/auth/signin?${new URLSearchParams({ callbackUrl: Object.keys(notices).length > 0 ? self : wanted })}`);
  }
  if (csrf !== null && original) redirect(asked);
  return (
    <PlainPage locale={locale} title={t('title')}>
      <p className="text-muted">{t('intro')}</p>
      {cookiesDisabled && <Notice tone="bad" role="alert" text={t('cookiesNeeded')} />}
      {wait && (
        <Notice tone="wait" role="alert">
          <p>{more('wait', { time: waitTime(wait, locale) })}</p>
          <p className="mt-1 text-sm">{more('waitHint')}</p>
        </Notice>
      )}
      {error !== undefined && error !== 'Wait' && <Notice tone="bad" role="alert" text={t(problemOf(error))} />}
      {(changed !== undefined || joined !== undefined) && error === undefined && (
        <Notice tone="good" role="status" text={more(changed === undefined ? 'joined' : 'changed')} />
      )}
      <form method="post" action="/api/auth/callback/credentials" className="grid gap-4">
        <input type="hidden" name="csrfToken" value={csrf ?? ''} />
        <input type="hidden" name="callbackUrl" value={wanted} />
        <Field
          id="email"
          name="email"
          type="email"
          label={t('email')}
          defaultValue={await readTypedEmail(runtime)}
          autoComplete="username"
          required
          maxLength={254}
        />
        <KeepTyped field="email" />
        <PasswordField
          id="password"
          name="password"
          words={passwordWords(locale)}
          label={t('password')}
          autoComplete="current-password"
          required
          maxLength={1000}
        />
        <Button>{t('button')}</Button>
      </form>
      <p>
        <TextLink href="/forgot">{more('forgot')}</TextLink>
      </p>
      {cashiers.length > 0 && (
        <p>
          <TextLink href={`/sign-in/pin?${new URLSearchParams({ callbackUrl: wanted })}`}>
            {translator(locale, 'PinSignIn')('byPin')}
          </TextLink>
        </p>
      )}
      {isSignUpOpen(runtime) && (
        <p>
          <TextLink href="/sign-up">{more('signUp')}</TextLink>
        </p>
      )}
    </PlainPage>
  );
}

function problemOf(error: string | string[]): 'wrong' | 'passwordExpired' | 'expired' | 'unavailable' {
  if (error === 'CredentialsSignin') return 'wrong';
  if (error === 'PasswordExpired') return 'passwordExpired';
  return error === 'Expired' ? 'expired' : 'unavailable';
}

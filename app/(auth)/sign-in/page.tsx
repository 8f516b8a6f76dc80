import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { PlainPage } from '@/components/dashboard/plain-page';
import { readUntil, waitTime } from '@/components/dashboard/wait-time';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { isSignUpOpen } from '@/lib/accounts/ask-for-sign-up';
import { findHome } from '@/lib/accounts/find-home';
import { ownPath } from '@/lib/http/same-origin';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { readTyped } from '@/lib/server/typed-email';
import { csrfToken, sessionToken } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';

interface SignInPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'SignIn')('title') };
}

/** A plain form that posts to next-auth. Its token comes in a cookie that only a route can set, so the first visit goes by there. */
export default async function SignInPage({ searchParams }: SignInPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignIn');
  const runtime = webRuntime();
  const { callbackUrl, error, until, changed } = await searchParams;
  const more = translator(locale, 'SignInMore');
  const wait = readUntil(until, runtime.clock());
  const given = typeof callbackUrl === 'string' ? callbackUrl : null;
  const wanted = ownPath(given, runtime.settings.LIVE_BASE_URL.origin) ?? '/';
  const home = await findHome(runtime, await sessionToken(runtime));
  if (home.kind !== 'signed_out') redirect(wanted.startsWith('/sign-in') ? '/' : wanted);
  const csrf = await csrfToken(runtime);
  // Only next-auth writes a whole address: who comes back from there without the cookie keeps none.
  const refusesCookies = csrf === null && given?.startsWith('http');
  if (csrf === null && !refusesCookies) redirect(`/api/auth/signin?callbackUrl=${encodeURIComponent(wanted)}`);
  return (
    <PlainPage locale={locale} title={t('title')}>
      <p className="text-muted">{t('intro')}</p>
      {refusesCookies && (
        <Notice tone="bad" role="alert">
          <p>{t('cookiesNeeded')}</p>
        </Notice>
      )}
      {wait && (
        <Notice tone="wait" role="alert">
          <p>{more('wait', { time: waitTime(wait, locale) })}</p>
          <p className="mt-1 text-sm">{more('waitHint')}</p>
        </Notice>
      )}
      {error !== undefined && error !== 'Wait' && (
        <Notice tone="bad" role="alert">
          <p>{t(problemOf(error))}</p>
        </Notice>
      )}
      {changed !== undefined && error === undefined && (
        <Notice tone="good" role="status">
          <p>{more('changed')}</p>
        </Notice>
      )}
      <form method="post" action="/api/auth/callback/credentials" className="grid gap-4">
        <input type="hidden" name="csrfToken" value={csrf ?? ''} />
        <input type="hidden" name="callbackUrl" value={wanted} />
        <Field
          id="email"
          name="email"
          type="email"
          label={t('email')}
          defaultValue={await readTyped(runtime)}
          autoComplete="username"
          required
          maxLength={254}
        />
        <Field
          id="password"
          name="password"
          type="password"
          label={t('password')}
          autoComplete="current-password"
          required
          maxLength={1000}
        />
        <Button>{t('button')}</Button>
      </form>
      <p>
        <Link href="/forgot" prefetch={false} className="font-semibold text-brand underline">
          {more('forgot')}
        </Link>
      </p>
      {isSignUpOpen(runtime) && (
        <p>
          <Link href="/sign-up" prefetch={false} className="font-semibold text-brand underline">
            {more('signUp')}
          </Link>
        </p>
      )}
    </PlainPage>
  );
}

function problemOf(error: string | string[]): 'wrong' | 'expired' | 'unavailable' {
  if (error === 'CredentialsSignin') return 'wrong';
  return error === 'Expired' ? 'expired' : 'unavailable';
}

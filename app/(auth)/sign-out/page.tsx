import { redirect } from 'next/navigation';
import { titled } from '@/app/page-props';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { SignOutForm } from '@/components/dashboard/shell/sign-out-form';
import { findHome } from '@/lib/accounts/access/grant-account';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { sessionToken } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';

export const generateMetadata = titled('SignIn', 'signOut');

/** next-auth redirects here if the form that signs out had no CSRF token. This page shows the form again, now with a token. */
export default async function SignOutPage() {
  const locale = await pageLocale();
  const t = translator(locale, 'SignIn');
  const runtime = webRuntime();
  const home = await findHome(runtime, await sessionToken(runtime));
  if (home.kind === 'signed_out') redirect('/sign-in');
  return (
    <PlainPage locale={locale} title={t('signOutTitle')}>
      <p>{t('signOutText')}</p>
      <SignOutForm locale={locale} look="primary" />
    </PlainPage>
  );
}

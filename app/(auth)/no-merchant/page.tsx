import { redirect } from 'next/navigation';
import { titled } from '@/app/page-props';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { SignOutForm } from '@/components/dashboard/shell/sign-out-form';
import { findHome } from '@/lib/accounts/access/grant-account';
import { translator } from '@/lib/i18n/translator';
import { landingPath } from '@/lib/server/landing-path';
import { pageLocale } from '@/lib/server/preferences';
import { sessionToken } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';

export const generateMetadata = titled('SignIn', 'noMerchantTitle');

/** The page for a person who is signed in and belongs to no merchant. */
export default async function NoMerchantPage() {
  const locale = await pageLocale();
  const runtime = webRuntime();
  const token = await sessionToken(runtime);
  const home = await findHome(runtime, token);
  if (home.kind !== 'no_merchant') redirect(await landingPath(runtime, token, '/'));
  const t = translator(locale, 'SignIn');
  return (
    <PlainPage locale={locale} title={t('noMerchantTitle')}>
      <p>{t('noMerchantText')}</p>
      <SignOutForm locale={locale} look="plain" />
    </PlainPage>
  );
}

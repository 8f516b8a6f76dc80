import { redirect } from 'next/navigation';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { SignOutForm } from '@/components/dashboard/shell/sign-out-form';
import { findHome } from '@/lib/accounts/access/grant-account';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { sessionToken } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';

export default async function StartPage() {
  const locale = await pageLocale();
  const runtime = webRuntime();
  const home = await findHome(runtime, await sessionToken(runtime));
  if (home.kind === 'signed_out') redirect('/sign-in');
  if (home.kind === 'merchant') redirect(home.path);
  const t = translator(locale, 'SignIn');
  return (
    <PlainPage locale={locale} title={t('noMerchantTitle')}>
      <p>{t('noMerchantText')}</p>
      <SignOutForm locale={locale} look="plain" />
    </PlainPage>
  );
}

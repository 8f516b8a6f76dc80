import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PlainPageProps, titled } from '@/app/page-props';
import { EmailForm } from '@/components/dashboard/account/account-forms';
import { AccountPage } from '@/components/dashboard/account/account-page';
import { Card } from '@/components/ui/layout';
import { openAccount } from '@/lib/entry/server/visit';
import { isProven } from '@/lib/identity/accounts/access/grant-access';
import { translator } from '@/lib/platform/i18n/translator';
import { askForEmailAction } from '../actions';

export const generateMetadata = titled('Account', 'emailTitle');

/** The page to change the e-mail address for signing in. Without a mail server, it shows the command with which the operator changes it. */
export default async function EmailPage({ searchParams }: PlainPageProps) {
  const { runtime, account, locale } = await openAccount('/account/email');
  const t = translator(locale, 'Account');
  const { wrong } = await searchParams;
  const { email } = account.user;
  return (
    <AccountPage account={account} locale={locale} title={t('emailTitle')} intro={t('emailNow', { email })} below>
      {!runtime.settings.mail ? (
        <Card>
          <p>{t('emailNoMail')}</p>
          <code className="mt-3 block rounded-lg bg-ground p-3 text-sm wrap-anywhere select-all">
            {`bili user change-email --email ${email} --to …`}
          </code>
        </Card>
      ) : isProven(account, runtime.clock()) ? (
        <Card>
          <EmailForm action={askForEmailAction} />
        </Card>
      ) : (
        <ConfirmCard locale={locale} back="/account/email" wrong={wrong !== undefined} />
      )}
    </AccountPage>
  );
}

import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PlainPageProps, titled } from '@/app/page-props';
import { AccountPage } from '@/components/dashboard/account/account-page';
import { NewPasswordField } from '@/components/dashboard/auth/new-password-field';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { openAccount } from '@/lib/entry/server/visit';
import { isProven } from '@/lib/identity/accounts/access/grant-access';
import { translator } from '@/lib/platform/i18n/translator';
import { changePasswordAction } from '../actions';

export const generateMetadata = titled('Account', 'passwordTitle');

export default async function PasswordPage({ searchParams }: PlainPageProps) {
  const { runtime, account, locale } = await openAccount('/account/password');
  const t = translator(locale, 'Account');
  const { changed, problem, wrong } = await searchParams;
  return (
    <AccountPage account={account} locale={locale} title={t('passwordTitle')} below>
      {changed !== undefined ? (
        <ResultNotice text={t('passwordChanged', { ended: Number(changed) || 0 })}>
          <ul className="mt-2 flex flex-wrap gap-x-6 gap-y-2">
            {[
              { path: '/account', text: t('toAccount') },
              ...account.merchants.map(({ name, path }) => ({ path, text: t('back', { merchant: name }) })),
            ].map(({ path, text }) => (
              <li key={path}>
                <TextLink href={path}>{text}</TextLink>
              </li>
            ))}
          </ul>
        </ResultNotice>
      ) : isProven(account, runtime.clock()) ? (
        <Card>
          <ActionForm action={changePasswordAction} className="grid max-w-md gap-4">
            {/* Tells password managers whose password this is. */}
            <input type="email" name="username" autoComplete="username" defaultValue={account.user.email} readOnly hidden />
            <NewPasswordField problem={problem} locale={locale} />
            <p className="text-sm text-muted">{t('passwordEnds')}</p>
            <SubmitButton>{t('changePassword')}</SubmitButton>
          </ActionForm>
        </Card>
      ) : (
        <ConfirmCard locale={locale} back="/account/password" wrong={wrong !== undefined} />
      )}
    </AccountPage>
  );
}

import { type PlainPageProps, titled } from '@/app/page-props';
import { LinkEnded } from '@/components/dashboard/auth/link-ended';
import { NewPasswordField } from '@/components/dashboard/auth/new-password-field';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { readResetLink } from '@/lib/accounts/email-links/reset-by-link';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { webRuntime } from '@/lib/server/web-runtime';
import { resetAction } from './actions';

export const generateMetadata = titled('SignInMore', 'resetTitle');

export default async function ResetPage({ searchParams }: PlainPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignInMore');
  const { token, problem } = await searchParams;
  const given = typeof token === 'string' ? token : '';
  const link = await readResetLink(webRuntime(), given);
  if (!link) return <LinkEnded locale={locale} again="/forgot" />;
  return (
    <PlainPage locale={locale} title={t('resetTitle')}>
      <p className="text-muted wrap-anywhere">{t('resetIntro', { email: link.email })}</p>
      <ActionForm action={resetAction} guest hidden={{ token: given }} className="grid gap-4">
        {/* Tells password managers whose password this is. */}
        <input type="email" name="username" autoComplete="username" defaultValue={link.email} readOnly hidden />
        <NewPasswordField problem={problem} locale={locale} />
        <SubmitButton className="w-full">{t('setPassword')}</SubmitButton>
      </ActionForm>
    </PlainPage>
  );
}

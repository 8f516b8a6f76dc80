import { LinkEnded } from '@/components/dashboard/link-ended';
import { NewPasswordField } from '@/components/dashboard/new-password-field';
import { PlainPage } from '@/components/dashboard/plain-page';
import { ActionForm } from '@/components/ui/action-form';
import { SubmitButton } from '@/components/ui/submit-button';
import { readResetLink } from '@/lib/accounts/finish-reset';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { webRuntime } from '@/lib/server/web-runtime';
import { type PlainPageProps, titled } from '../page-title';
import { resetAction } from './actions';

export const generateMetadata = titled('resetTitle');

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
        {/* So that a password manager knows whose it is. */}
        <input type="email" name="username" autoComplete="username" defaultValue={link.email} readOnly hidden />
        <NewPasswordField problem={problem} locale={locale} />
        <SubmitButton className="w-full">{t('setPassword')}</SubmitButton>
      </ActionForm>
    </PlainPage>
  );
}

import { type PlainPageProps, titled } from '@/app/page-props';
import { LinkEnded } from '@/components/dashboard/auth/link-ended';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { SignUpForm } from '@/components/dashboard/auth/sign-up-form';
import { Texts } from '@/components/ui/texts';
import { readSignUpLink } from '@/lib/accounts/email-links/sign-up';
import { pickMessages, translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { webRuntime } from '@/lib/server/web-runtime';
import { finishSignUpAction } from './actions';

export const generateMetadata = titled('SignInMore', 'finishTitle');

export default async function FinishSignUpPage({ searchParams }: PlainPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignInMore');
  const { token } = await searchParams;
  const given = typeof token === 'string' ? token : '';
  const email = await readSignUpLink(webRuntime(), given);
  if (email === null) return <LinkEnded locale={locale} again="/sign-up" />;
  return (
    <PlainPage locale={locale} title={t('finishTitle')}>
      <p className="text-muted wrap-anywhere">{t('finishIntro', { email })}</p>
      <Texts locale={locale} messages={pickMessages(locale, ['SignInMore', 'PasswordProblem', 'PasswordField'])}>
        <SignUpForm action={finishSignUpAction} token={given} email={email} />
      </Texts>
    </PlainPage>
  );
}

import { type PlainPageProps, titled } from '@/app/page-props';
import { MailPage } from '@/components/dashboard/auth/mail-page';
import { isSignUpOpen } from '@/lib/accounts/email-links/sign-up';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { webRuntime } from '@/lib/server/web-runtime';
import { signUpAction } from './actions';

export const generateMetadata = titled('SignInMore', 'signUpTitle');

export default async function SignUpPage({ searchParams }: PlainPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignInMore');
  const open = isSignUpOpen(webRuntime());
  return (
    <MailPage
      locale={locale}
      title={t(open ? 'signUpTitle' : 'signUpClosedTitle')}
      closed={open ? null : t('signUpClosedText')}
      intro={t('signUpIntro')}
      sent={(email) => t('signUpSent', { email })}
      action={signUpAction}
      query={await searchParams}
    />
  );
}

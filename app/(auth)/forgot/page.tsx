import { type PlainPageProps, titled } from '@/app/page-props';
import { MailPage } from '@/components/dashboard/auth/mail-page';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { webRuntime } from '@/lib/server/web-runtime';
import { forgotAction } from './actions';

export const generateMetadata = titled('SignInMore', 'forgotTitle');

export default async function ForgotPage({ searchParams }: PlainPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignInMore');
  return (
    <MailPage
      locale={locale}
      title={t('forgotTitle')}
      closed={webRuntime().settings.mail ? null : t('noMail')}
      intro={t('forgotIntro')}
      sent={(email) => t('sentText', { email })}
      action={forgotAction}
      query={await searchParams}
    />
  );
}

import type { Metadata } from 'next';
import Link from 'next/link';
import { MailForm } from '@/components/dashboard/mail-form';
import { PlainPage } from '@/components/dashboard/plain-page';
import { Notice } from '@/components/ui/notice';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { readTyped } from '@/lib/server/typed-email';
import { webRuntime } from '@/lib/server/web-runtime';
import { forgotAction } from './actions';

interface ForgotPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'SignInMore')('forgotTitle') };
}

export default async function ForgotPage({ searchParams }: ForgotPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignInMore');
  const runtime = webRuntime();
  const { sent, until } = await searchParams;
  const email = await readTyped(runtime);
  return (
    <PlainPage locale={locale} title={t('forgotTitle')}>
      {!runtime.settings.mail ? (
        <p>{t('noMail')}</p>
      ) : sent !== undefined ? (
        <Notice tone="good" role="status" title={t('sentTitle')}>
          <p>{t('sentText', { email })}</p>
        </Notice>
      ) : (
        <>
          <p className="text-muted">{t('forgotIntro')}</p>
          <MailForm action={forgotAction} email={email} until={until} locale={locale} />
        </>
      )}
      <p>
        <Link href="/sign-in" prefetch={false} className="font-semibold text-brand underline">
          {t('toSignIn')}
        </Link>
      </p>
    </PlainPage>
  );
}

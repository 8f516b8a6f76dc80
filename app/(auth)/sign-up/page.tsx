import type { Metadata } from 'next';
import Link from 'next/link';
import { MailForm } from '@/components/dashboard/mail-form';
import { PlainPage } from '@/components/dashboard/plain-page';
import { Notice } from '@/components/ui/notice';
import { isSignUpOpen } from '@/lib/accounts/ask-for-sign-up';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { readTyped } from '@/lib/server/typed-email';
import { webRuntime } from '@/lib/server/web-runtime';
import { signUpAction } from './actions';

interface SignUpPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'SignInMore')('signUpTitle') };
}

export default async function SignUpPage({ searchParams }: SignUpPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignInMore');
  const runtime = webRuntime();
  const { sent, until } = await searchParams;
  const email = await readTyped(runtime);
  const open = isSignUpOpen(runtime);
  return (
    <PlainPage locale={locale} title={t(open ? 'signUpTitle' : 'signUpClosedTitle')}>
      {!open ? (
        <p>{t('signUpClosedText')}</p>
      ) : sent !== undefined ? (
        <Notice tone="good" role="status" title={t('sentTitle')}>
          <p>{t('signUpSent', { email })}</p>
        </Notice>
      ) : (
        <>
          <p className="text-muted">{t('signUpIntro')}</p>
          <MailForm action={signUpAction} email={email} until={until} locale={locale} />
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

import type { Metadata } from 'next';
import Link from 'next/link';
import { PlainPage } from '@/components/dashboard/plain-page';
import { SignUpForm } from '@/components/dashboard/sign-up-form';
import { buttonClass } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Texts } from '@/components/ui/texts';
import { readSignUpLink } from '@/lib/accounts/finish-sign-up';
import { pickMessages, translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { webRuntime } from '@/lib/server/web-runtime';
import { finishSignUpAction } from './actions';

interface FinishPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'SignInMore')('finishTitle') };
}

export default async function FinishSignUpPage({ searchParams }: FinishPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignInMore');
  const { token } = await searchParams;
  const given = typeof token === 'string' ? token : '';
  const email = await readSignUpLink(webRuntime(), given);
  if (email === null) {
    return (
      <PlainPage locale={locale} title={t('linkEndedTitle')}>
        <Notice tone="bad" role="alert">
          <p>{t('linkEndedText')}</p>
        </Notice>
        <Link href="/sign-up" prefetch={false} className={buttonClass('primary')}>
          {t('askAgain')}
        </Link>
      </PlainPage>
    );
  }
  return (
    <PlainPage locale={locale} title={t('finishTitle')}>
      <p className="text-muted wrap-anywhere">{t('finishIntro', { email })}</p>
      <Texts locale={locale} messages={pickMessages(locale, ['SignInMore', 'PasswordProblem'])}>
        <SignUpForm action={finishSignUpAction} token={given} email={email} />
      </Texts>
    </PlainPage>
  );
}

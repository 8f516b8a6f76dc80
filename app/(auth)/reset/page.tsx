import type { Metadata } from 'next';
import Link from 'next/link';
import { NewPasswordField } from '@/components/dashboard/new-password-field';
import { PlainPage } from '@/components/dashboard/plain-page';
import { Button, buttonClass } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { readResetLink } from '@/lib/accounts/finish-reset';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { webRuntime } from '@/lib/server/web-runtime';
import { resetAction } from './actions';

interface ResetPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'SignInMore')('resetTitle') };
}

export default async function ResetPage({ searchParams }: ResetPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignInMore');
  const { token, problem } = await searchParams;
  const given = typeof token === 'string' ? token : '';
  const link = await readResetLink(webRuntime(), given);
  if (!link) {
    return (
      <PlainPage locale={locale} title={t('linkEndedTitle')}>
        <Notice tone="bad" role="alert">
          <p>{t('linkEndedText')}</p>
        </Notice>
        <Link href="/forgot" prefetch={false} className={buttonClass('primary')}>
          {t('askAgain')}
        </Link>
      </PlainPage>
    );
  }
  return (
    <PlainPage locale={locale} title={t('resetTitle')}>
      <p className="text-muted wrap-anywhere">{t('resetIntro', { email: link.email })}</p>
      <form action={resetAction} className="grid gap-4">
        <input type="hidden" name="token" value={given} />
        {/* So that a password manager knows whose it is. */}
        <input type="hidden" name="username" autoComplete="username" defaultValue={link.email} />
        <NewPasswordField problem={problem} locale={locale} />
        <Button>{t('setPassword')}</Button>
      </form>
    </PlainPage>
  );
}

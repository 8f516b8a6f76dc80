import { Notice } from '@/components/ui/notice';
import { TextLink } from '@/components/ui/text-link';
import type { Locale } from '@/lib/i18n/translator';
import { translator } from '@/lib/i18n/translator';
import { readTyped } from '@/lib/server/typed-email';
import { webRuntime } from '@/lib/server/web-runtime';
import { MailForm } from './mail-form';
import { PlainPage } from './plain-page';

interface MailPageProps {
  readonly locale: Locale;
  readonly title: string;
  /** Why no mail is to be had here; null when one is. */
  readonly closed: string | null;
  readonly intro: string;
  /** What is said once it is on its way, whether anybody has the address or not. */
  readonly sent: (email: string) => string;
  readonly action: (form: FormData) => Promise<void>;
  /** Of the page: `sent`, or when it may be asked for again. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
}

/** A page that sends a link to an e-mail address. */
export async function MailPage({ locale, title, closed, intro, sent, action, query }: MailPageProps) {
  const t = translator(locale, 'SignInMore');
  const email = await readTyped(webRuntime());
  return (
    <PlainPage locale={locale} title={title}>
      {closed !== null ? (
        <p>{closed}</p>
      ) : query.sent !== undefined ? (
        <Notice tone="good" role="status" title={t('sentTitle')}>
          <p>{sent(email)}</p>
        </Notice>
      ) : (
        <>
          <p className="text-muted">{intro}</p>
          <MailForm action={action} email={email} until={query.until} locale={locale} />
        </>
      )}
      <p>
        <TextLink href="/sign-in">{t('toSignIn')}</TextLink>
      </p>
    </PlainPage>
  );
}

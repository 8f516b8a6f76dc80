import { readUntil, waitTime } from '@/components/dashboard/wait-time';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { readTypedEmail } from '@/lib/server/typed-email';
import { webRuntime } from '@/lib/server/web-runtime';
import { KeepTyped } from './keep-typed';
import { PlainPage } from './plain-page';

interface MailPageProps {
  readonly locale: Locale;
  readonly title: string;
  /** Why no mail can be sent; null if mails can be sent. */
  readonly closed: string | null;
  readonly intro: string;
  /** Returns the text to show after the form was sent. The text does not depend on whether an account has this address. */
  readonly sent: (email: string) => string;
  readonly action: (form: FormData) => Promise<void>;
  /** The query of the page. It contains `sent` after a mail was sent, or `until`, the time when the next mail is possible. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
}

/** A page that sends a link to an e-mail address. */
export async function MailPage({ locale, title, closed, intro, sent, action, query }: MailPageProps) {
  const t = translator(locale, 'SignInMore');
  const runtime = webRuntime();
  const email = await readTypedEmail(runtime);
  const wait = readUntil(query.until, runtime.clock());
  return (
    <PlainPage locale={locale} title={title}>
      {closed !== null ? (
        <p>{closed}</p>
      ) : query.sent !== undefined ? (
        <Notice tone="good" role="status" title={t('sentTitle')} text={sent(email)} />
      ) : (
        <>
          <p className="text-muted">{intro}</p>
          <ActionForm action={action} guest className="grid gap-4">
            {wait && <Notice tone="wait" role="alert" text={t('wait', { time: waitTime(wait, locale) })} />}
            <Field id="email" type="email" label={t('email')} defaultValue={email} autoComplete="email" required maxLength={254} />
            <KeepTyped field="email" />
            <SubmitButton className="w-full">{t('send')}</SubmitButton>
          </ActionForm>
        </>
      )}
      <p>
        <TextLink href="/sign-in">{t('toSignIn')}</TextLink>
      </p>
    </PlainPage>
  );
}

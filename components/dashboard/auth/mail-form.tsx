import { readUntil, waitTime } from '@/components/dashboard/wait-time';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';
import { type Locale, translator } from '@/lib/i18n/translator';
import { webRuntime } from '@/lib/server/web-runtime';

interface MailFormProps {
  readonly action: (form: FormData) => Promise<void>;
  /** The address that was typed before. */
  readonly email: string;
  /** From the query: when the next mail is possible. */
  readonly until: string | string[] | undefined;
  readonly locale: Locale;
}

/** The form for the e-mail address that a link is sent to. */
export function MailForm({ action, email, until, locale }: MailFormProps) {
  const t = translator(locale, 'SignInMore');
  const wait = readUntil(until, webRuntime().clock());
  return (
    <ActionForm action={action} guest className="grid gap-4">
      {wait && <Notice tone="wait" role="alert" text={t('wait', { time: waitTime(wait, locale) })} />}
      <Field id="email" type="email" label={t('email')} defaultValue={email} autoComplete="email" required maxLength={254} />
      <SubmitButton className="w-full">{t('send')}</SubmitButton>
    </ActionForm>
  );
}

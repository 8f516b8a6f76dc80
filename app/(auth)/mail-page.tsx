import { More, Tell } from '@/components/auth/auth-page';
import { Field, SendForm } from '@/components/auth/fields';
import { readUntil, waitTime } from '@/components/dashboard/wait-time';
import { readTypedEmail } from '@/lib/entry/server/typed-email';
import { translator } from '@/lib/platform/i18n/translator';
import type { Guest, GuestAnswer } from './guest-page';

interface MailPage {
  readonly title: string;
  /** Why no mail can be sent; null if mails can be sent. */
  readonly closed: string | null;
  readonly intro: string;
  /** Returns the text to show after the form was sent. The text does not depend on whether an account has this address. */
  readonly sent: (email: string) => string;
}

/** Shows a page that sends a link to an e-mail address. The address of the page has `sent` after that, or the time until which to wait. */
export function showMailPage({ runtime, query, locale, cookies }: Guest, { title, closed, intro, sent }: MailPage): GuestAnswer {
  const t = translator(locale, 'SignInMore');
  const email = readTypedEmail(runtime, cookies);
  const wait = readUntil(query.get('until') ?? undefined, runtime.clock());
  const content = (
    <>
      {closed !== null ? (
        <p>{closed}</p>
      ) : query.has('sent') ? (
        <Tell tone="good" role="status" title={t('sentTitle')}>
          <p>{sent(email)}</p>
        </Tell>
      ) : (
        <>
          <p className="lead">{intro}</p>
          {wait && (
            <Tell tone="wait" role="alert">
              <p>{t('wait', { time: waitTime(wait, locale) })}</p>
            </Tell>
          )}
          <SendForm button={t('send')}>
            <Field
              id="email"
              type="email"
              label={t('email')}
              defaultValue={email}
              autoComplete="email"
              required
              maxLength={254}
              data-keep
            />
          </SendForm>
        </>
      )}
      <More links={[{ href: '/sign-in', text: t('toSignIn') }]} />
    </>
  );
  return { title, content };
}

import { type Guest, type GuestAnswer, guestPage, sessionCookieOf } from '@/app/(auth)/guest-page';
import { showLinkEnded } from '@/app/(auth)/link-ended';
import { Field, OwnerOfPassword, PasswordField, SendForm } from '@/components/auth/fields';
import { finishSignUp, readSignUpLink } from '@/lib/backoffice/email-links/sign-up';
import { deviceCookie } from '@/lib/entry/server/device-cookie';
import { landingPath } from '@/lib/entry/server/landing-path';
import { PASSWORD_MIN } from '@/lib/identity/accounts/passwords/password-limits';
import { translator } from '@/lib/platform/i18n/translator';

/** What was typed, and what is wrong with it. */
interface Sent {
  readonly business: string;
  readonly name: string;
  readonly problems: Readonly<Partial<Record<'business' | 'name' | 'password', string>>>;
}

async function show(guest: Guest): Promise<GuestAnswer> {
  return page(guest, guest.query.get('token') ?? '', null);
}

async function page(guest: Guest, token: string, sent: Sent | null): Promise<GuestAnswer> {
  const { runtime, locale } = guest;
  const email = await readSignUpLink(runtime, token);
  if (email === null) return showLinkEnded(guest, '/sign-up');
  const t = translator(locale, 'SignInMore');
  const problems = sent?.problems ?? {};
  const content = (
    <>
      <p className="lead">{t('finishIntro', { email })}</p>
      <SendForm hidden={{ token }} button={t('open')}>
        <OwnerOfPassword email={email} />
        <Field
          id="business"
          label={t('business')}
          hint={t('businessHint')}
          defaultValue={sent?.business}
          problem={problems.business}
          maxLength={100}
          required
          autoComplete="organization"
        />
        <Field
          id="name"
          label={t('yourName')}
          defaultValue={sent?.name}
          problem={problems.name}
          maxLength={100}
          required
          autoComplete="name"
        />
        <PasswordField
          id="password"
          label={t('password')}
          hint={t('passwordHint')}
          problem={problems.password}
          locale={locale}
          autoComplete="new-password"
          minLength={PASSWORD_MIN}
        />
      </SendForm>
    </>
  );
  return { title: t('finishTitle'), content, status: sent ? 422 : 200 };
}

/** Creates the account and redirects to its first page. */
async function send(guest: Guest, form: URLSearchParams): Promise<GuestAnswer> {
  const { runtime, locale, session, address, userAgent } = guest;
  const token = form.get('token') ?? '';
  const typed = { business: form.get('business') ?? '', name: form.get('name') ?? '' };
  const signedUp = await finishSignUp(runtime, { ...typed, token, session, address, userAgent, password: form.get('password') ?? '' });
  if (signedUp.ok) {
    const { userId, device, token: opened } = signedUp.value;
    const cookies = [await sessionCookieOf(guest, opened), deviceCookie(runtime, userId, device)];
    return { to: await landingPath(runtime, opened, '/'), cookies };
  }
  if (signedUp.error === 'link_ended') return { to: '/sign-up/finish' };
  const { business, name, password: weak } = signedUp.error;
  const t = translator(locale, 'SignInMore');
  const problems = {
    ...(business && { business: t(business) }),
    ...(name && { name: t(name) }),
    ...(weak && { password: translator(locale, 'PasswordProblem')(weak) }),
  };
  return page(guest, token, { ...typed, problems });
}

export const finishSigningUp = guestPage(show, send);

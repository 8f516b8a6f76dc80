import { type Guest, type GuestAnswer, guestPage } from '@/app/(auth)/guest-page';
import { showLinkEnded } from '@/app/(auth)/link-ended';
import { OwnerOfPassword, PasswordField, SendForm } from '@/components/auth/fields';
import { finishReset, readResetLink } from '@/lib/backoffice/email-links/reset-by-link';
import { deviceCookie } from '@/lib/entry/server/device-cookie';
import { typedEmailCookie } from '@/lib/entry/server/typed-email';
import { PASSWORD_MAX, PASSWORD_MIN, type PasswordProblem } from '@/lib/identity/accounts/passwords/password-limits';
import { translator } from '@/lib/platform/i18n/translator';

async function show(guest: Guest): Promise<GuestAnswer> {
  return page(guest, guest.query.get('token') ?? '', null);
}

async function page(guest: Guest, token: string, problem: PasswordProblem | null): Promise<GuestAnswer> {
  const { runtime, locale } = guest;
  const link = await readResetLink(runtime, token);
  if (!link) return showLinkEnded(guest, '/forgot');
  const t = translator(locale, 'SignInMore');
  const account = translator(locale, 'Account');
  const content = (
    <>
      <p className="lead">{t('resetIntro', { email: link.email })}</p>
      <SendForm hidden={{ token }} button={t('setPassword')}>
        <OwnerOfPassword email={link.email} />
        <PasswordField
          id="password"
          label={account('newPassword')}
          hint={account('newPasswordHint')}
          problem={problem && translator(locale, 'PasswordProblem')(problem)}
          locale={locale}
          autoComplete="new-password"
          minLength={PASSWORD_MIN}
          maxLength={PASSWORD_MAX}
        />
      </SendForm>
    </>
  );
  return { title: t('resetTitle'), content, status: problem ? 422 : 200 };
}

/** Sets the new password and redirects to the sign-in page, which also asks for the second factor. */
async function send(guest: Guest, form: URLSearchParams): Promise<GuestAnswer> {
  const { runtime, address } = guest;
  const token = form.get('token') ?? '';
  const reset = await finishReset(runtime, { token, password: form.get('password') ?? '', address });
  if (!reset.ok) return page(guest, token, reset.error === 'link_ended' ? null : reset.error);
  const { userId, email, device } = reset.value;
  return { to: '/sign-in?changed', cookies: [deviceCookie(runtime, userId, device), typedEmailCookie(runtime, email)] };
}

export const reset = guestPage(show, send);

import { type Guest, type GuestAnswer, guestPage } from '@/app/(auth)/guest-page';
import { showMailPage } from '@/app/(auth)/mail-page';
import { isSignUpOpen, requestSignUp } from '@/lib/backoffice/email-links/sign-up';
import { typedEmailCookie } from '@/lib/entry/server/typed-email';
import { EMAIL_MAX, isMailAddress } from '@/lib/platform/core/mailbox';
import { translator } from '@/lib/platform/i18n/translator';

async function show(guest: Guest): Promise<GuestAnswer> {
  const t = translator(guest.locale, 'SignInMore');
  const open = isSignUpOpen(guest.runtime);
  return showMailPage(guest, {
    title: t(open ? 'signUpTitle' : 'signUpClosedTitle'),
    closed: open ? null : t('signUpClosedText'),
    intro: t('signUpIntro'),
    sent: (email) => t('signUpSent', { email }),
  });
}

/** Mails a sign-up link. The answer and its timing do not reveal whether the address already has an account. */
async function send({ runtime, address, locale }: Guest, form: URLSearchParams): Promise<GuestAnswer> {
  if (!isSignUpOpen(runtime)) return { to: '/sign-up' };
  const email = (form.get('email') ?? '').trim().slice(0, EMAIL_MAX);
  const cookies = [typedEmailCookie(runtime, email)];
  if (!isMailAddress(email)) return { to: '/sign-up', cookies };
  const asked = await requestSignUp(runtime, { email, address, locale });
  if (!asked.ok) return { to: `/sign-up?until=${asked.error.toISOString()}`, cookies };
  return { to: '/sign-up?sent', cookies, afterwards: asked.value };
}

export const signUp = guestPage(show, send);

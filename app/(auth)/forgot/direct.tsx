import { type Guest, type GuestAnswer, guestPage } from '@/app/(auth)/guest-page';
import { showMailPage } from '@/app/(auth)/mail-page';
import { requestReset } from '@/lib/backoffice/email-links/reset-by-link';
import { typedEmailCookie } from '@/lib/entry/server/typed-email';
import { EMAIL_MAX } from '@/lib/platform/core/mailbox';
import { translator } from '@/lib/platform/i18n/translator';

async function show(guest: Guest): Promise<GuestAnswer> {
  const t = translator(guest.locale, 'SignInMore');
  return showMailPage(guest, {
    title: t('forgotTitle'),
    closed: guest.runtime.settings.mail ? null : t('noMail'),
    intro: t('forgotIntro'),
    sent: (email) => t('sentText', { email }),
  });
}

/** Mails a reset link. The account is looked up after the answer is sent, so the answer does not reveal whether the account exists. */
async function send({ runtime, address, locale }: Guest, form: URLSearchParams): Promise<GuestAnswer> {
  const email = (form.get('email') ?? '').slice(0, EMAIL_MAX);
  const cookies = [typedEmailCookie(runtime, email)];
  const asked = await requestReset(runtime, { email, address, locale });
  if (!asked.ok) return { to: `/forgot?until=${asked.error.toISOString()}`, cookies };
  return { to: '/forgot?sent', cookies, afterwards: asked.value };
}

export const forgot = guestPage(show, send);

import { SendForm } from '@/components/auth/fields';
import { KEPT_BILLS } from '@/components/dashboard/shell/sign-out-guard';
import { csrfOf } from '@/lib/entry/server/csrf';
import { translator } from '@/lib/platform/i18n/translator';
import type { Guest, GuestAnswer } from './guest-page';

/** Shows a text and the button that signs out, through next-auth. The script asks first if bills on this device are not sent yet. */
export function showSignOut({ runtime, cookies, locale }: Guest, title: string, text: string): GuestAnswer {
  const t = translator(locale, 'SignIn');
  const csrf = csrfOf(runtime, cookies);
  const content = (
    <>
      <p className="lead">{text}</p>
      <SendForm
        action="/api/auth/signout"
        hidden={{ csrfToken: csrf.token, callbackUrl: '/sign-in' }}
        data-kept={KEPT_BILLS}
        data-unsent={t('unsentBills')}
        button={t('signOut')}
      />
    </>
  );
  return { title, content, cookies: [csrf.cookie] };
}

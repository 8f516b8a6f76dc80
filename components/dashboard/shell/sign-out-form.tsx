import { Button } from '@/components/ui/button';
import { HiddenFields } from '@/components/ui/forms/fields';
import { csrfToken } from '@/lib/entry/server/visit';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { SignOutGuard } from './sign-out-guard';

/** The button that signs out, through next-auth. If the browser has no CSRF token, next-auth sets one and asks for a confirmation. */
export async function SignOutForm({ locale, look }: { readonly locale: Locale; readonly look: 'primary' | 'plain' }) {
  const csrf = await csrfToken(webRuntime());
  return (
    <form method="post" action="/api/auth/signout">
      <HiddenFields values={{ csrfToken: csrf ?? '', callbackUrl: '/sign-in' }} />
      <SignOutGuard question={translator(locale, 'SignIn')('unsentBills')} />
      <Button look={look}>{translator(locale, 'SignIn')('signOut')}</Button>
    </form>
  );
}

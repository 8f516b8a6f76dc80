import { Button } from '@/components/ui/button';
import { type Locale, translator } from '@/lib/i18n/translator';

/** Posts to next-auth; without its token, the browser gets one on the way and is asked once more. */
export function SignOutForm({
  locale,
  csrf,
  look,
}: {
  readonly locale: Locale;
  readonly csrf: string | null;
  readonly look: 'primary' | 'plain';
}) {
  return (
    <form method="post" action="/api/auth/signout">
      <input type="hidden" name="csrfToken" value={csrf ?? ''} />
      <input type="hidden" name="callbackUrl" value="/sign-in" />
      <Button look={look}>{translator(locale, 'SignIn')('signOut')}</Button>
    </form>
  );
}

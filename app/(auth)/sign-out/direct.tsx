import { type Guest, type GuestAnswer, guestPage } from '@/app/(auth)/guest-page';
import { showSignOut } from '@/app/(auth)/sign-out-form';
import { findHome } from '@/lib/identity/accounts/access/grant-account';
import { translator } from '@/lib/platform/i18n/translator';

/** next-auth redirects here if the form that signs out had no CSRF token. This page shows the form again, now with a token. */
async function show(guest: Guest): Promise<GuestAnswer> {
  const home = await findHome(guest.runtime, guest.session);
  if (home.kind === 'signed_out') return { to: '/sign-in' };
  const t = translator(guest.locale, 'SignIn');
  return showSignOut(guest, t('signOutTitle'), t('signOutText'));
}

export const signOut = guestPage(show);

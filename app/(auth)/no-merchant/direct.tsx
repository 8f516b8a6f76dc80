import { type Guest, type GuestAnswer, guestPage } from '@/app/(auth)/guest-page';
import { showSignOut } from '@/app/(auth)/sign-out-form';
import { landingPath } from '@/lib/entry/server/landing-path';
import { findHome } from '@/lib/identity/accounts/access/grant-account';
import { translator } from '@/lib/platform/i18n/translator';

/** The page for a person who is signed in and belongs to no merchant. */
async function show(guest: Guest): Promise<GuestAnswer> {
  const { runtime, session } = guest;
  const home = await findHome(runtime, session);
  if (home.kind !== 'no_merchant') return { to: await landingPath(runtime, session, '/') };
  const t = translator(guest.locale, 'SignIn');
  return showSignOut(guest, t('noMerchantTitle'), t('noMerchantText'));
}

export const noMerchant = guestPage(show);

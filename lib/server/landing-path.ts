import { findHome } from '@/lib/accounts/access/grant-account';
import type { WebRuntime } from './web-runtime';

/**
 * Returns the path of the page to open after signing in. This is the wanted page. But if that is the home page, it is the first page of the
 * dashboard instead. The home page would redirect to the same page. But Next.js does not render the home page, so after that redirect the
 * browser would still show the address of the home page.
 */
export async function landingPath(runtime: WebRuntime, token: string | null, wanted: string): Promise<string> {
  if (wanted !== '/') return wanted;
  const home = await findHome(runtime, token);
  if (home.kind === 'signed_out') return '/sign-in';
  return home.kind === 'merchant' ? home.path : '/no-merchant';
}

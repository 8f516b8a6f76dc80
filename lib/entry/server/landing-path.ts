import { findHome } from '@/lib/identity/accounts/access/grant-account';
import type { WebRuntime } from './web-runtime';

/**
 * Returns the path of the page to open after signing in. This is the wanted page. If the wanted page is the home page, the first page of
 * the dashboard is returned. The home page would also redirect to that page. But Next.js does not know the home page, because our listener
 * answers it. So after a redirect of the home page, the browser would still show the address of the home page.
 */
export async function landingPath(runtime: WebRuntime, token: string | null, wanted: string): Promise<string> {
  if (wanted !== '/') return wanted;
  const home = await findHome(runtime, token);
  if (home.kind === 'signed_out') return '/sign-in';
  return home.kind === 'merchant' ? home.path : '/no-merchant';
}

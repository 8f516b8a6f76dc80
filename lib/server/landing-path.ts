import { findHome } from '@/lib/accounts/access/grant-account';
import type { WebRuntime } from './web-runtime';

/**
 * Returns the path of the page to open after signing in: the wanted page, but the first page of the dashboard instead of the home page. The
 * home page would redirect there too, but Next.js does not render it, so the browser would still show the address of the home page.
 */
export async function landingPath(runtime: WebRuntime, token: string | null, wanted: string): Promise<string> {
  if (wanted !== '/') return wanted;
  const home = await findHome(runtime, token);
  if (home.kind === 'signed_out') return '/sign-in';
  return home.kind === 'merchant' ? home.path : '/no-merchant';
}

import { findHome } from '@/lib/accounts/access/grant-account';
import type { WebRuntime } from './web-runtime';

/**
 * Returns where a person goes after signing in: the wanted page, or the first page of the dashboard instead of the home page. The home
 * page would lead there too, but Next.js keeps the address of a page that it does not render itself.
 */
export async function landingPath(runtime: WebRuntime, token: string | null, wanted: string): Promise<string> {
  if (wanted !== '/') return wanted;
  const home = await findHome(runtime, token);
  if (home.kind === 'signed_out') return '/sign-in';
  return home.kind === 'merchant' ? home.path : '/no-merchant';
}

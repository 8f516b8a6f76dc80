import type { HeaderReader } from './request-facts';

/** The body of the answer that tells the script of our own pages why its form was refused. */
export const FOREIGN_FORM = 'foreign_form';
/** The same for a form that was refused because the copy of the database is on hold. */
export const FORM_ON_HOLD = 'on_hold';

/**
 * Returns whether one of our own pages sent a request that changes something. The header Sec-Fetch-Site or Origin must prove it, unlike in
 * Next.js, which accepts a Server Action without an Origin header. The listener has normalised the Host header, as browsers do with Origin.
 */
export function isSameOrigin(headers: HeaderReader): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && URL.canParse(origin) && new URL(origin).host === headers.get('host');
}

/**
 * Returns whether a page of another site sent a form. Unlike `isSameOrigin`, it accepts browsers that send neither Sec-Fetch-Site nor
 * Origin: old phones must be able to pay, and a form for which nobody has to sign in can do little harm.
 */
export function isForeignForm(headers: HeaderReader): boolean {
  const site = headers.get('sec-fetch-site');
  if (site === 'same-origin') return false;
  if (site !== null && site !== 'none') return true;
  const origin = headers.get('origin');
  return origin !== null && (!URL.canParse(origin) || new URL(origin).host !== headers.get('host'));
}

/** The maximum length of a URL. No URL of our own pages is longer, and a URL of this length fits into a response header. */
const ADDRESS_MAX = 4_000;

/** Returns the path and query of a URL on our own origin. Returns null for other origins, to prevent open redirects. */
export function ownPath(address: string | null | undefined, origin: string): string | null {
  if (!address || address.length > ADDRESS_MAX || !URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search;
}

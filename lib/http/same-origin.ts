/**
 * Whether a request that changes something was made by our own page. Next.js lets a Server Action through when there is no
 * Origin; here one of the two headers has to say so.
 */
export function isSameOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && URL.canParse(origin) && new URL(origin).host === headers.get('host');
}

/**
 * Whether a form came from somebody else's page. Unlike `isSameOrigin`, a browser that sends neither header is welcome: old
 * phones that pay do not send them, and a form without a session can do little.
 */
export function isForeignForm(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return true;
  const origin = headers.get('origin');
  return origin !== null && (!URL.canParse(origin) || new URL(origin).host !== headers.get('host'));
}

/** Longer than any address of ours, and short enough for a header. */
const ADDRESS_MAX = 4_000;

/** @returns the path and query of an address on our own origin, or null for any other: nobody is sent elsewhere. */
export function ownPath(address: string | null | undefined, origin: string): string | null {
  if (!address || address.length > ADDRESS_MAX || !URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search;
}

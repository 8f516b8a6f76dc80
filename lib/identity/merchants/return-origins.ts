import type { Environment } from '@/lib/platform/core/scope';

/** The largest number of origins to which a merchant's payment pages may link back. */
export const ORIGINS_MAX = 20;

/**
 * Parses origins that are separated by line breaks, commas or spaces. Returns each origin once, and the first text that is not an https
 * address.
 */
export function parseOrigins(text: string): { readonly origins: readonly string[]; readonly wrong: string | null } {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const read = parts.map((part) => ({ part, origin: parseOrigin(part) }));
  return {
    origins: [...new Set(read.flatMap(({ origin }) => origin ?? []))],
    wrong: read.find(({ origin }) => origin === null)?.part ?? null,
  };
}

/** Returns the origin of an address such as `https://shop.example.com/cart` or `shop.example.com`. Null if it is not https. */
function parseOrigin(text: string): string | null {
  const url = parseAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  return url?.protocol === 'https:' && url.hostname.includes('.') ? url.origin : null;
}

/**
 * Returns the address to which the payment page may link, or null if it may not. Only https addresses with an origin that the merchant
 * has entered are allowed, so that nobody can use a payment page to send visitors to a foreign site. In the sandbox, `http://localhost`
 * is allowed, too, for developers.
 */
export function allowedReturnUrl(
  text: string,
  { environment, origins }: { readonly environment: Environment; readonly origins: readonly string[] },
): string | null {
  const url = parseAddress(text);
  if (!url) return null;
  const allowed =
    (url.protocol === 'https:' && origins.includes(url.origin)) ||
    (environment === 'sandbox' && url.protocol === 'http:' && url.hostname === 'localhost');
  return allowed ? url.href : null;
}

/** Parses a URL. Returns null for any other text, and for a URL with a user name or password. */
function parseAddress(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && url.username === '' && url.password === '' ? url : null;
}

/** How a redirect's target differs from the called URL: only by https, by `www.`, by a trailing slash, or otherwise. */
type RedirectChange = 'https' | 'www' | 'slash' | 'elsewhere';

/**
 * Resolves a Location header and says how the target differs from the called URL.
 * @returns the absolute URL, or the header's text if it is not a valid URL.
 */
export function redirectData(location: string, url: string): { location: string; change: RedirectChange } {
  const target = URL.parse(location, url);
  const called = URL.parse(url);
  if (!target || !called) return { location, change: 'elsewhere' };
  return { location: target.href, change: changeOf(called, target) };
}

function changeOf(called: URL, target: URL): RedirectChange {
  const same = (part: (url: URL) => string) => part(called) === part(target);
  const upgraded = called.protocol === 'http:' && target.protocol === 'https:';
  // An upgrade from http to https usually changes the port too, so neither protocol nor port is compared then.
  if (!upgraded && !(same(({ protocol }) => protocol) && same(({ port }) => port))) return 'elsewhere';
  if (!same(({ hostname }) => withoutWww(hostname)) || !same(({ search }) => search)) return 'elsewhere';
  if (!same(({ pathname }) => withoutSlash(pathname))) return 'elsewhere';
  if (!same(({ hostname }) => hostname)) return 'www';
  if (upgraded) return 'https';
  return same(({ pathname }) => pathname) ? 'elsewhere' : 'slash';
}

const withoutWww = (hostname: string) => hostname.replace(/^www\./, '');
const withoutSlash = (pathname: string) => pathname.replace(/\/$/, '');

/** How a redirect's target differs from the address called: by https alone, by `www.`, by the slash at the end of its path, or otherwise. */
type RedirectChange = 'https' | 'www' | 'slash' | 'elsewhere';

/**
 * @param location as the receiver wrote it. @param url the address that was called.
 * @returns the whole address that it stands for, or the text as it came when it stands for none.
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
  // A port is named with its protocol: 80 becomes 443, and neither is written.
  if (!upgraded && !(same(({ protocol }) => protocol) && same(({ port }) => port))) return 'elsewhere';
  if (!same(({ hostname }) => withoutWww(hostname)) || !same(({ search }) => search)) return 'elsewhere';
  if (!same(({ pathname }) => withoutSlash(pathname))) return 'elsewhere';
  if (!same(({ hostname }) => hostname)) return 'www';
  if (upgraded) return 'https';
  return same(({ pathname }) => pathname) ? 'elsewhere' : 'slash';
}

const withoutWww = (hostname: string) => hostname.replace(/^www\./, '');
const withoutSlash = (pathname: string) => pathname.replace(/\/$/, '');

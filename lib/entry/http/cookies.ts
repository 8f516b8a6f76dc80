import { DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';

const YEAR_SECONDS = (365 * DAY_MS) / SECOND_MS;

/** Returns the cookies of a request by name. Their values are not decoded. */
export function cookiesOf(headers: Headers): ReadonlyMap<string, string> {
  return new Map(
    (headers.get('cookie') ?? '').split(';').map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

/** A cookie that an answer sets. */
export interface Cookie {
  readonly name: string;
  /** Consists of characters that need no encoding in a cookie. */
  readonly value: string;
  /** Seconds. */
  readonly maxAge: number;
  readonly path: '/';
  readonly httpOnly: true;
  readonly sameSite: 'lax';
  readonly secure: boolean;
}

export function setCookieHeader({ name, value, maxAge, path, secure }: Cookie): string {
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/**
 * Returns the name of a preference's cookie. With https it has the prefix `__Host-`, so that no other host can set it.
 * @param base the base address of the environment.
 */
function preferenceName(name: string, { protocol }: Pick<URL, 'protocol'>): string {
  return protocol === 'https:' ? `__Host-${name}` : name;
}

/** Returns the value of a preference. Accepts the name without a prefix too, which earlier versions used. */
export function preferenceOf(cookies: ReadonlyMap<string, string>, name: string, base: Pick<URL, 'protocol'>): string | undefined {
  return cookies.get(preferenceName(name, base)) ?? cookies.get(name);
}

/** Returns the Set-Cookie header that remembers a preference for a year. */
export function preferenceCookie(name: string, value: string, base: Pick<URL, 'protocol'>): string {
  const secure = base.protocol === 'https:' ? '; Secure' : '';
  return `${preferenceName(name, base)}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

import { fail, ok, type Result } from '@/lib/platform/core/result';

const MALFORMED = 'must be a PostgreSQL address, for example postgresql://bili:password@localhost:5432/bili';
const WRITABLE = ['read-write', 'primary'];

/**
 * Splits a database URL with several hosts (`postgresql://bili:password@db1:5432,db2:5432/bili`) into one URL per host, in the same order.
 * If the URL contains `target_session_attrs`, its value must be `read-write` or `primary`, because Bili needs a writable server.
 */
export function splitDatabaseUrl(text: string): Result<readonly string[], string> {
  const [, scheme, authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/.exec(text) ?? [];
  if (scheme === undefined || authority + rest === '') return fail(MALFORMED);
  const at = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(at).split(',');
  const urls = hosts.map((host) => `${scheme}${authority.slice(0, at)}${host}${rest}`);
  if ((hosts.length > 1 && hosts.includes('')) || !urls.every((url) => URL.canParse(url))) return fail(MALFORMED);
  const attrs = new URL(urls[0] ?? '').searchParams.get('target_session_attrs');
  if (attrs !== null && !WRITABLE.includes(attrs)) return fail('may only have target_session_attrs=read-write or primary');
  return ok(urls);
}

/** Returns the URLs of {@link splitDatabaseUrl} for a text that the settings have already validated. */
export function hostUrls(text: string): readonly string[] {
  const urls = splitDatabaseUrl(text);
  if (!urls.ok) throw new Error(`The database address ${urls.error}`);
  return urls.value;
}

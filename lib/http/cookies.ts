/** Returns the cookies of a request by name. Their values are not decoded. */
export function cookiesOf(headers: Headers): ReadonlyMap<string, string> {
  return new Map(
    (headers.get('cookie') ?? '').split(';').map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}

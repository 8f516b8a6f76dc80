/** Characters that the class URL may change, or that servers interpret differently. */
const SUSPECT = /[\\%]|\/\//;

/** Returns whether a path has a backslash, an empty segment or an escape that is not UTF-8. Frameworks disagree about these. */
export function isOddPath(path: string): boolean {
  if (!SUSPECT.test(path)) return false;
  if (path.includes('\\') || path.includes('//')) return true;
  return hasBrokenEscape(path);
}

export function hasBrokenEscape(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    // decodeURIComponent throws nothing but URIError.
    return true;
  }
}

/** Returns whether Next.js would fail on the value of its own `Next-Router-State-Tree` header. */
export function isBrokenRouterState(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  if (typeof header !== 'string') return true;
  try {
    const state: unknown = JSON.parse(decodeURIComponent(header));
    return !(Array.isArray(state) && typeof state[1] === 'object' && state[1] !== null);
  } catch {
    // The value is not valid URI encoding, or not JSON.
    return true;
  }
}

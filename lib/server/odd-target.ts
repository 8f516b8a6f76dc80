/** What a URL would write otherwise, or other servers read otherwise. */
const SUSPECT = /[\\%]|\/\//;

/** @returns whether a path has a backslash, an empty segment, or an escape that stands for no UTF-8: frameworks disagree about these. */
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
    // A URIError, the only thing it throws.
    return true;
  }
}

/** @returns whether a header that only Next.js's own client sends is one that Next.js would fail on. */
export function isBrokenRouterState(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  if (typeof header !== 'string') return true;
  try {
    const state: unknown = JSON.parse(decodeURIComponent(header));
    return !(Array.isArray(state) && typeof state[1] === 'object' && state[1] !== null);
  } catch {
    // Neither an escape nor JSON.
    return true;
  }
}

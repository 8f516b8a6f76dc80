const NAMES_MAX = 20;
const LENGTH_MAX = 40;

/** Returns the names of a body's members that its schema does not have, in the body's order. @param names the members of the schema */
export function unknownMembers(body: Readonly<Record<string, unknown>>, names: readonly string[]): readonly string[] {
  return Object.keys(body).filter((name) => !names.includes(name));
}

/**
 * Returns the header that lists ignored members: the first 20 names, each up to 40 characters. Characters that could be mistaken for a part
 * of the header are replaced by `?`.
 */
export function ignoredHeader(names: readonly string[]): Readonly<Record<string, string>> {
  if (names.length === 0) return {};
  const shown = names.slice(0, NAMES_MAX).map((name) => name.slice(0, LENGTH_MAX).replace(/[^\w.$-]/g, '?') || '?');
  return { 'bili-ignored': shown.join(', ') };
}

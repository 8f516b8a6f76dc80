/**
 * What an API key may be used for. `create`: create, close and reopen bills, and send payment requests for them. `read`: read bills and
 * their history. `events`: read the event feed. `refund`: give money back. `record`: record money that people
 * received.
 */
export const KEY_SCOPES = ['create', 'read', 'events', 'refund', 'record'] as const;
/** What a key may do unless somebody chooses otherwise. Only keys that were made for it give money back, or say that money was received. */
export const USUAL_KEY_SCOPES: readonly KeyScope[] = ['create', 'read', 'events'];
export type KeyScope = (typeof KEY_SCOPES)[number];

function isKeyScope(text: string): text is KeyScope {
  return KEY_SCOPES.some((scope) => scope === text);
}

/** Returns the texts that are scopes, in a fixed order. Later versions may store other scopes, which this version does not grant. */
export function readKeyScopes(texts: readonly string[]): readonly KeyScope[] {
  return KEY_SCOPES.filter((scope) => texts.includes(scope));
}

/** Parses scopes that are separated by commas or spaces. Returns null if a scope is unknown or the text contains none. */
export function parseKeyScopes(text: string): readonly KeyScope[] | null {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.length > 0 && parts.every(isKeyScope) ? readKeyScopes(parts) : null;
}

/** Returns whether an API key is limited: at least one of the usual scopes is missing. */
export function isScoped(scopes: readonly KeyScope[]): boolean {
  return USUAL_KEY_SCOPES.some((scope) => !scopes.includes(scope));
}

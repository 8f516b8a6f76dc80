import type { Environment, Runtime } from '@/lib/config/runtime';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { isKeyId, isUsable, readAuthorization, type StoredKey, secretMatches } from './rules';
import { findKey, touchKey } from './store';

/** How long a process trusts what it read of a key: revoking acts within this time. */
const CACHE_MS = 500;
const CACHE_MAX = 10_000;
const TOUCH_EVERY_MS = 5 * MINUTE_MS;

type Needs = Pick<Runtime, 'db' | 'clock' | 'log'>;

/** Authenticates API requests. One per process: it remembers keys for half a second and when it last noted their use. */
export interface KeyAuthenticator {
  /** @returns the key behind an Authorization header, or undefined whatever is wrong with it. */
  authenticate(authorization: string | null, environment: Environment): Promise<StoredKey | undefined>;
}

export function createKeyAuthenticator(runtime: Needs): KeyAuthenticator {
  const known = new Map<string, { key: Promise<StoredKey | undefined>; until: number }>();
  const touched = new Map<string, number>();

  function load(id: string, now: number): Promise<StoredKey | undefined> {
    const cached = known.get(id);
    if (cached && cached.until > now) return cached.key;
    if (known.size >= CACHE_MAX) known.clear();
    const key = findKey(runtime.db, id);
    known.set(id, { key, until: now + CACHE_MS });
    key.then(
      (found) => found ?? known.delete(id),
      () => known.delete(id),
    );
    return key;
  }

  function noteUse(id: string, now: Date): void {
    const last = touched.get(id) ?? 0;
    if (now.getTime() - last < TOUCH_EVERY_MS) return;
    if (touched.size >= CACHE_MAX) touched.clear();
    touched.set(id, now.getTime());
    touchKey(runtime.db, id, now, addMs(now, -TOUCH_EVERY_MS)).catch((error: unknown) => {
      touched.delete(id);
      runtime.log.warn({ err: error, keyId: id }, 'could not note the use of a key');
    });
  }

  return {
    async authenticate(authorization, environment) {
      const pair = readAuthorization(authorization);
      if (!pair || !isKeyId(pair.id)) return undefined;
      const now = runtime.clock();
      const key = await load(pair.id, now.getTime());
      if (!key || !secretMatches(pair.secret, key.secretHash)) return undefined;
      if (key.environment !== environment || !isUsable(key, now)) return undefined;
      noteUse(key.id, now);
      return key;
    },
  };
}

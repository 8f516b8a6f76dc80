import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import { readTogether } from '@/lib/platform/queues/read-together';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { isAllowedFrom } from './network-rules';
import { isKeyId, isMistyped, isUsable, readAuthorization, type StoredKey, secretMatches } from './rules';
import { findKeys } from './store';
import { createUsageCounter } from './usage-counter';

/** How long a process caches a key. A revoked key stops working within this time. */
const CACHE_MS = 500;
const CACHE_MAX = 10_000;

/** Why a key was refused, for the operator's log. The answer contains only the reason `address`: that caller has sent the right secret. */
export const KEY_REFUSALS = [
  'missing',
  'malformed',
  /** The checksum is wrong: a character was mistyped or lost. */
  'mistyped',
  'unknown',
  'wrong_secret',
  'other_environment',
  'revoked',
  'expired',
  'address',
] as const;
export type KeyRefusal = (typeof KEY_REFUSALS)[number];

export interface RefusedKey {
  readonly why: KeyRefusal;
  /** The key with the public id in the request; null if there is no such key. Its merchant did not necessarily send the request. */
  readonly key: StoredKey | null;
}

interface KeyUse {
  readonly authorization: string | null;
  readonly environment: Environment;
  /** The IP address of the caller. Null if it is unknown. */
  readonly address: string | null;
  /** The method and path of the route, such as `POST bills/create`. */
  readonly route: string;
}

type SoughtKey = Pick<StoredKey, 'id' | 'environment'>;

/** Authenticates API requests. Each process has one authenticator. It caches keys for half a second and counts their uses. */
export interface KeyAuthenticator {
  /** Returns the key of an Authorization header, if it may be used from this address. */
  authenticate(use: KeyUse): Promise<Result<StoredKey, RefusedKey>>;
  /** Stores the uses that are counted but not stored yet. */
  flush(): Promise<void>;
}

function refuse(why: KeyRefusal, key: StoredKey | null = null): Result<never, RefusedKey> {
  return fail({ why, key });
}

export function createKeyAuthenticator(runtime: Pick<Runtime, 'db' | 'clock' | 'log'>): KeyAuthenticator {
  const known = new Map<string, { readonly key: Promise<StoredKey | null>; found?: StoredKey; readonly until: number }>();
  const find = readTogether<SoughtKey, StoredKey | null>({
    readAll: (sought) =>
      findKeys(
        runtime.db,
        sought.map(({ id }) => id),
      ),
  });
  const tally = createUsageCounter(runtime);

  function load(id: string, { environment, address }: KeyUse, now: number): Promise<StoredKey | null> | StoredKey {
    const cached = known.get(id);
    if (cached && cached.until > now) return cached.found ?? cached.key;
    if (known.size >= CACHE_MAX) known.clear();
    // Addresses take turns, so that a caller who invents keys does not delay others.
    const key = find(address ?? '', { id, environment });
    const entry: ReturnType<typeof known.get> = { key, until: now + CACHE_MS };
    known.set(id, entry);
    key.then(
      (found) => {
        if (found) entry.found = found;
        else known.delete(id);
      },
      () => known.delete(id),
    );
    return key;
  }

  return {
    async authenticate(use) {
      const { authorization, environment, address, route } = use;
      if (authorization === null) return refuse('missing');
      const pair = readAuthorization(authorization);
      if (!pair || !(known.has(pair.id) || isKeyId(pair.id))) return refuse(pair && isMistyped(pair.id) ? 'mistyped' : 'malformed');
      const now = runtime.clock();
      const loaded = load(pair.id, use, now.getTime());
      const key = loaded instanceof Promise ? await loaded : loaded;
      if (!key) return refuse('unknown');
      if (!secretMatches(pair.secret, key.secretHash)) return refuse(isMistyped(pair.secret) ? 'mistyped' : 'wrong_secret', key);
      if (key.environment !== environment) return refuse('other_environment', key);
      if (!isUsable(key, now)) return refuse(key.revokedAt === null ? 'expired' : 'revoked', key);
      if (!isAllowedFrom(key.networks, address)) return refuse('address', key);
      tally.note({ keyId: key.id, address, route });
      return ok(key);
    },
    flush: () => tally.flush(),
  };
}

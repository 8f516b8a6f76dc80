import { recordEntry } from '@/lib/audit/record-entry';
import type { Scope } from '@/lib/core/scope';
import type { Connection } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { auditedKey } from './audited-key';
import { hashSecret, type KeyPair, makeKeyPair } from './rules';
import { insertKey, type KeyLimits, type KeyRow } from './store';

interface CreateKeyOptions {
  readonly scope: Scope;
  readonly label: string;
  /** When the key expires. Never if absent. */
  readonly expiresAt?: Date | null;
  readonly limits?: KeyLimits;
  /** The key that this one replaces. The new key continues its daily total. */
  readonly replaces?: Pick<KeyRow, 'id' | 'firstId'> | null;
  /** `user:<email>` or `operator:<login>`. */
  readonly actor: string;
  readonly address: string | null;
}

export const NO_LIMITS: KeyLimits = { networks: [], billMax: null, dayMax: null };

/** Creates an API key and returns it with its secret. The secret is shown once: only its hash is stored. */
export async function createKey(runtime: Pick<Runtime, 'db' | 'clock' | 'random'>, options: CreateKeyOptions): Promise<KeyPair> {
  return runtime.db.transaction((tx) => createKeyInTransaction(runtime, tx, options));
}

/**
 * Like `createKey`, in a transaction that does more. The key and its audit entry are committed together, so that no key exists
 * without one.
 */
export async function createKeyInTransaction(
  runtime: Pick<Runtime, 'clock' | 'random' | 'db'>,
  tx: Connection,
  { scope, label, expiresAt = null, limits = NO_LIMITS, replaces = null, actor, address }: CreateKeyOptions,
): Promise<KeyPair> {
  const pair = makeKeyPair(scope.environment, runtime.random);
  const { networks, billMax, dayMax } = limits;
  const change = { label, expiresAt, networks, billMax, dayMax };
  const secretHash = hashSecret(pair.secret);
  const line = { replacesId: replaces?.id ?? null, firstId: replaces?.firstId ?? pair.id };
  await insertKey(tx, scope, { ...change, ...line, id: pair.id, secretHash, createdBy: actor, createdAt: runtime.clock() });
  const data = { ...auditedKey(change), ...(replaces && { replaces: replaces.id }) };
  const { merchantId, environment } = scope;
  await recordEntry(runtime, { merchantId, environment, actor, action: 'key.created', subject: pair.id, address, data }, tx);
  return pair;
}

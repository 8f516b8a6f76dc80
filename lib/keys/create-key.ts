import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime, Scope } from '@/lib/config/runtime';
import type { Queryable } from '@/lib/db/database';
import { auditedKey } from './audited-key';
import { hashSecret, type KeyPair, makeKeyPair } from './rules';
import { insertKey, type KeyLimits } from './store';

interface CreateKeyOptions {
  readonly scope: Scope;
  readonly label: string;
  /** When it ends by itself; never if left out. */
  readonly expiresAt?: Date | null;
  readonly limits?: KeyLimits;
  /** The key whose place it takes. */
  readonly replacesId?: string | null;
  /** `user:<email>` or `operator:cli`. */
  readonly actor: string;
  readonly address: string | null;
}

export const NO_LIMITS: KeyLimits = { networks: [], billMax: null, dayMax: null };

/** @returns the new pair. The secret is shown this once: only its hash is kept. */
export async function createKey(runtime: Pick<Runtime, 'db' | 'clock' | 'random'>, options: CreateKeyOptions): Promise<KeyPair> {
  return runtime.db.transaction((tx) => createKeyIn(runtime, tx, options));
}

/** The same in a transaction that does more. One commit with its audit entry: a key that nobody can account for does not come to be. */
export async function createKeyIn(
  runtime: Pick<Runtime, 'clock' | 'random' | 'db'>,
  tx: Queryable,
  { scope, label, expiresAt = null, limits = NO_LIMITS, replacesId = null, actor, address }: CreateKeyOptions,
): Promise<KeyPair> {
  const pair = makeKeyPair(scope.environment, runtime.random);
  const { networks, billMax, dayMax } = limits;
  const change = { label, expiresAt, networks, billMax, dayMax };
  const secretHash = hashSecret(pair.secret);
  await insertKey(tx, scope, { ...change, id: pair.id, secretHash, createdBy: actor, createdAt: runtime.clock(), replacesId });
  const data = { ...auditedKey(change), ...(replacesId !== null && { replaces: replacesId }) };
  const { merchantId, environment } = scope;
  await recordEntry(runtime, { merchantId, environment, actor, action: 'key.created', subject: pair.id, address, data }, tx);
  return pair;
}

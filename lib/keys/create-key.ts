import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { KEY_SCOPES } from '@/lib/accounts/key-scopes';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Connection } from '@/lib/db/database';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { keyAuditData } from './key-audit-data';
import { hashSecret, type KeyPair, makeKeyPair } from './rules';
import { insertKey, type KeyLimits, type KeyRow } from './store';

interface CreateKeyOptions {
  readonly label: string;
  /** When the key expires. If null or absent, the key never expires. */
  readonly expiresAt?: Date | null;
  readonly limits?: KeyLimits;
  /** The old key that the new key replaces. The new key continues the daily total of the old key. */
  readonly replaces?: Pick<KeyRow, 'id' | 'firstId'> | null;
}

export const NO_LIMITS: KeyLimits = { scopes: KEY_SCOPES, networks: [], billMax: null, dayMax: null };

/** Creates an API key and returns it with its secret, which is shown once, because only its hash is stored. */
export async function createKey(runtime: WriteRuntime, access: Access, options: CreateKeyOptions): Promise<Result<KeyPair, ProvenRefusal>> {
  const refusal = authorizeProven(access, 'keys.change', runtime.clock());
  return refusal ? fail(refusal) : ok(await runtime.db.transaction((tx) => createKeyInTransaction(runtime, tx, access, options)));
}

/** Creates a key in the transaction of a caller that has authorized it. The key and its audit entry are committed together. */
export async function createKeyInTransaction(
  runtime: WriteRuntime,
  tx: Connection,
  { scope, actor }: Access,
  { label, expiresAt = null, limits = NO_LIMITS, replaces = null }: CreateKeyOptions,
): Promise<KeyPair> {
  const pair = makeKeyPair(scope.environment, runtime.random);
  const change = { label, expiresAt, ...limits };
  const secretHash = hashSecret(pair.secret);
  const line = { replacesId: replaces?.id ?? null, firstId: replaces?.firstId ?? pair.id };
  await insertKey(tx, scope, { ...change, ...line, id: pair.id, secretHash, createdBy: actor.name, createdAt: runtime.clock() });
  const data = { ...keyAuditData(change), ...(replaces && { replaces: replaces.id }) };
  await recordEntry(runtime, { ...scope, actor, action: 'key.created', subject: pair.id, data }, tx);
  return pair;
}

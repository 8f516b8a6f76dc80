import { auditRow } from '@/lib/audit/record-entry';
import type { Runtime, Scope } from '@/lib/config/runtime';
import { hashSecret, type KeyPair, makeKeyPair } from './rules';
import { insertKey } from './store';

interface CreateKeyOptions {
  readonly scope: Scope;
  readonly label: string;
  /** `user:<email>` or `operator:cli`. */
  readonly actor: string;
  readonly address: string | null;
}

/** @returns the new pair. The secret is shown this once: only its hash is kept. */
export async function createKey(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { scope, label, actor, address }: CreateKeyOptions,
): Promise<KeyPair> {
  const pair = makeKeyPair(scope.environment, runtime.random);
  const key = { id: pair.id, secretHash: new Uint8Array(hashSecret(pair.secret)), label, createdBy: actor, createdAt: runtime.clock() };
  const audit = auditRow(runtime, { ...scope, actor, action: 'key.created', subject: pair.id, address, data: { label } });
  await insertKey(runtime.db, scope, key, audit);
  return pair;
}

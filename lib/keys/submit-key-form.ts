import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { createKeyInTransaction } from './create-key';
import { keyAuditData } from './key-audit-data';
import { type KeyFormProblem, type KeyFormValues, parseKeyForm } from './key-form';
import { isKeyId, isUsable, type KeyPair } from './rules';
import { findScopedKey, updateKey } from './store';

/** Creates an API key from the values of a form. Returns it with its secret, which is shown once. */
export async function createKeyFromForm(
  runtime: WriteRuntime,
  access: Access,
  values: KeyFormValues,
): Promise<Result<KeyPair, ProvenRefusal | KeyFormProblem>> {
  const now = runtime.clock();
  const refusal = authorizeProven(access, 'keys.change', now);
  if (refusal) return fail(refusal);
  const read = parseKeyForm(values, now);
  if (!read.ok) return read;
  const { label, expiresAt, ...limits } = read.value;
  return ok(await runtime.db.transaction((tx) => createKeyInTransaction(runtime, tx, access, { label, expiresAt, limits })));
}

/** Changes the name, expiry and limits of a usable key. Every process uses the new values within half a second. */
export async function changeKey(
  runtime: WriteRuntime,
  access: Access,
  { id, values }: { id: string; values: KeyFormValues },
): Promise<Result<{ readonly changed: boolean }, ProvenRefusal | KeyFormProblem | 'not_found'>> {
  const refusal = authorizeProven(access, 'keys.change', runtime.clock());
  if (refusal) return fail(refusal);
  if (!isKeyId(id)) return fail('not_found');
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const key = await findScopedKey(tx, access.scope, id, { lock: true });
    if (!key || !isUsable(key, now)) return fail('not_found');
    const read = parseKeyForm(values, now, key.expiresAt);
    if (!read.ok) return read;
    const before = keyAuditData(key);
    const after = keyAuditData(read.value);
    if (JSON.stringify(before) === JSON.stringify(after)) return ok({ changed: false });
    await updateKey(tx, id, read.value);
    const data = { before, after };
    await recordEntry(runtime, { ...access.scope, actor: access.actor, action: 'key.changed', subject: id, data }, tx);
    return ok({ changed: true });
  });
}

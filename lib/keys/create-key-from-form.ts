import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { createKeyInTransaction } from './create-key';
import { type KeyFormProblem, type KeyFormValues, parseKeyForm } from './key-form';
import type { KeyPair } from './rules';

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

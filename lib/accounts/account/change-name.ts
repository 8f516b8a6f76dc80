import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { type NameProblem, parsePersonName } from '@/lib/accounts/person-name';
import { writeName } from '@/lib/accounts/store';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';

/** Changes the user's name. */
export async function changeName(runtime: WriteRuntime, { user, actor }: AccountAccess, name: string): Promise<Result<null, NameProblem>> {
  const read = parsePersonName(name);
  if (!read.ok) return fail(read.error);
  await runtime.db.transaction(async (tx) => {
    await writeName(tx, user.id, read.value);
    const data = { before: { name: user.name }, after: { name: read.value } };
    const entry = { merchantId: null, environment: null, actor, action: 'name.changed', subject: user.id };
    await recordEntry(runtime, { ...entry, data }, tx);
  });
  return ok(null);
}

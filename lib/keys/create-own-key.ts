import { type MerchantAccess, may } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { fail, ok, type Result } from '@/lib/core/result';
import { createKey } from './create-key';
import type { KeyPair } from './rules';

export const LABEL_MAX = 60;

export type KeyProblem = 'not_allowed' | 'label_required' | 'label_too_long';

/** A member creates a key of the own merchant. @returns the pair, whose secret is shown this once. */
export async function createOwnKey(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { label, address }: { label: string; address: string | null },
): Promise<Result<KeyPair, KeyProblem>> {
  if (!may(access, 'keys.change')) return fail('not_allowed');
  const name = label.replace(/\p{Cc}/gu, ' ').trim();
  if (name === '') return fail('label_required');
  if (name.length > LABEL_MAX) return fail('label_too_long');
  return ok(await createKey(runtime, { scope: access.scope, label: name.toWellFormed(), actor: `user:${access.user.email}`, address }));
}

import { grantAccess, type MerchantAccess } from '@/lib/accounts/grant-access';
import type { Role } from '@/lib/accounts/permissions';
import { findUserByEmail, insertSession } from '@/lib/accounts/store';
import { hashToken } from '@/lib/accounts/token';
import type { Environment, Runtime } from '@/lib/config/runtime';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { TestMerchant } from './runtime';

interface LetInOptions {
  readonly environment?: Environment;
  readonly role?: Role;
}

/** @returns the access of a merchant's person who has just signed in. The role stays theirs. */
export async function letIn(
  runtime: Runtime,
  { merchant, email }: TestMerchant,
  { environment = 'sandbox', role = 'owner' }: LetInOptions = {},
): Promise<MerchantAccess> {
  const user = await findUserByEmail(runtime.db, email);
  if (!user) throw new Error(`${email} is nobody`);
  await runtime.db.query({ text: 'UPDATE membership SET role = $2 WHERE user_id = $1' }, [user.id, role]);
  const token = newId(runtime);
  const now = runtime.clock();
  await insertSession(runtime.db, {
    id: newId(runtime),
    tokenHash: hashToken(token),
    userId: user.id,
    userAgent: null,
    address: null,
    createdAt: now,
    provenAt: now,
    expiresAt: addMs(now, DAY_MS),
  });
  const access = await grantAccess(runtime, { token, merchant: merchant.slug, environment });
  if (!access.ok) throw new Error(access.error);
  return access.value;
}

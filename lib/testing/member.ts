import { grantAccess, type MerchantAccess } from '@/lib/accounts/grant-access';
import { hashPassword } from '@/lib/accounts/password';
import type { Role } from '@/lib/accounts/permissions';
import { signIn } from '@/lib/accounts/sign-in';
import type { Environment } from '@/lib/config/runtime';
import { newId } from '@/lib/core/ids';
import type { TestMerchant, TestRuntime } from './runtime';

const PASSWORD = 'a password of a member';
let made = 0;
let passwordHash: Promise<string> | undefined;

/** @returns the access of somebody new with a role at a merchant, in the sandbox if not said otherwise. */
export async function joinAs(
  runtime: TestRuntime,
  { merchant }: TestMerchant,
  role: Role,
  environment: Environment = 'sandbox',
): Promise<MerchantAccess> {
  made += 1;
  passwordHash ??= hashPassword(PASSWORD);
  const email = `${role}-${process.pid}-${made}@example.com`;
  const createdAt = runtime.clock();
  const user = { id: newId(runtime), email, name: role, passwordHash: await passwordHash, createdAt };
  await runtime.db.prisma.user.create({ data: { ...user, memberships: { create: { merchantId: merchant.id, role, createdAt } } } });
  const signedIn = await signIn(runtime, { email, password: PASSWORD, userAgent: null, address: null });
  const access = await grantAccess(runtime, { token: signedIn?.token ?? null, merchant: merchant.slug, environment });
  if (!access.ok) throw new Error(access.error);
  return access.value;
}

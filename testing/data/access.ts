import { randomBytes } from 'node:crypto';
import { grantAccess, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import type { Role } from '@/lib/identity/accounts/permissions';
import { hashToken } from '@/lib/identity/accounts/token';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import type { Environment } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { TestMerchant } from '../runtime';

interface SessionOptions {
  /** The merchant on whose device the session is. Without it, the session is one of a browser. */
  readonly onDevice?: TestMerchant;
}

/** Starts a session of a person. Needs no password, because the person may have none. Returns the token of the session. */
export async function makeSession(runtime: Runtime, email: string, { onDevice }: SessionOptions = {}): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = runtime.clock();
  const user = await runtime.db.prisma.user.findUniqueOrThrow({ where: { email } });
  const tokenHash = hashToken(token);
  const device = onDevice && {
    create: {
      ...{ id: newId(runtime), merchantId: onDevice.merchant.id, userId: user.id, secretHash: new Uint8Array(32), pinHash: 'none' },
      ...{ createdAt: now, lastUsedAt: now },
    },
  };
  const times = { createdAt: now, provenAt: now, lastSeenAt: now, expiresAt: addMs(now, DAY_MS) };
  const session = { id: newId(runtime), tokenHash, user: { connect: { id: user.id } }, ...times, ...(device && { device }) };
  await runtime.db.prisma.session.create({ data: session });
  return token;
}

/** The network address of every member in tests. */
export const TEST_ADDRESS = '192.0.2.1';

/** Returns the current access of a person to a merchant. Throws if they are not a member. */
export async function accessOf(
  runtime: Runtime,
  { merchant }: TestMerchant,
  email: string,
  environment: Environment = 'sandbox',
): Promise<MerchantAccess> {
  const access = await grantAccess(runtime, {
    token: await makeSession(runtime, email),
    merchant: merchant.slug,
    environment,
    address: TEST_ADDRESS,
  });
  if (!access.ok) throw new Error(`${email}: ${access.error}`);
  return access.value;
}

let made = 0;

/** Adds a member to a merchant. Returns the e-mail address. */
export async function makeMember(runtime: Runtime, { merchant }: TestMerchant, role: Role): Promise<string> {
  made += 1;
  const email = `member-${role}-${process.pid}-${made}@example.com`;
  const createdAt = runtime.clock();
  const user = { create: { id: newId(runtime), email, name: `A ${role}`, passwordHash: 'none', createdAt } };
  await runtime.db.prisma.membership.create({ data: { merchant: { connect: { id: merchant.id } }, user, role, createdAt } });
  return email;
}

/** Adds a person with a role to a merchant. Returns their access. */
export async function joinAs(runtime: Runtime, shop: TestMerchant, role: Role, environment?: Environment): Promise<MerchantAccess> {
  return accessOf(runtime, shop, await makeMember(runtime, shop, role), environment);
}

interface LetInOptions {
  readonly environment?: Environment;
  readonly role?: Role;
}

/** Signs in the merchant's first member. Returns their access. @param options.role the member's new role; by default the role stays. */
export async function letIn(runtime: Runtime, shop: TestMerchant, { environment, role }: LetInOptions = {}): Promise<MerchantAccess> {
  if (role) {
    const user = { email: shop.email };
    await runtime.db.prisma.membership.updateMany({ where: { merchantId: shop.merchant.id, user }, data: { role } });
  }
  return accessOf(runtime, shop, shop.email, environment);
}

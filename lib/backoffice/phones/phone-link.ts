import { timingSafeEqual } from 'node:crypto';
import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Secrets } from '@/lib/platform/config/secrets';
import { addMs, DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Scope } from '@/lib/platform/core/scope';
import type { Database } from '@/lib/platform/db/database';
import type { Runtime, WriteRuntime } from '@/lib/platform/runtime/runtime';

/** How long a link to test phones is valid. */
const LINK_MS = 30 * DAY_MS;

type Needs = Pick<Runtime, 'db' | 'clock' | 'secrets'>;

/** The merchant whose phones a link shows. */
export interface PhoneVisit {
  readonly scope: Scope;
  readonly merchantName: string;
}

/** Returns a merchant's name, and how often the merchant has made all links to its test phones invalid; null if there is no such merchant. */
async function findPhoneOwner({ prisma }: Database, scope: Scope): Promise<{ merchantName: string; linksEnded: number } | null> {
  const settings = await prisma.sandboxSettings.findUnique({ where: { merchantId_environment: scope }, select: { linksEnded: true } });
  const merchant = await prisma.merchant.findUnique({ where: { id: scope.merchantId }, select: { name: true } });
  return merchant && { merchantName: merchant.name, linksEnded: settings?.linksEnded ?? 0 };
}

/** Creates the path of a merchant's test phones. It contains a signature and an expiry, and works without signing in. */
export async function signPhonePath({ db, clock, secrets }: Needs, merchantId: string): Promise<string> {
  const owner = await findPhoneOwner(db, { merchantId, environment: 'sandbox' });
  if (!owner) throw new Error(`there is no merchant ${merchantId}`);
  const expires = Math.floor(addMs(clock(), LINK_MS).getTime() / SECOND_MS).toString(36);
  const packed = Buffer.from(merchantId.replaceAll('-', ''), 'hex').toString('base64url');
  return `/phone/${packed}.${expires}.${signature(secrets, merchantId, expires, owner.linksEnded)}`;
}

/** Returns the merchant of a link. Null if the link is forged, has expired, or was made invalid by the merchant. */
export async function readPhoneToken({ db, clock, secrets }: Needs, token: string): Promise<PhoneVisit | null> {
  const [, packed = '', expires = '', signed = ''] = /^([\w-]{22})\.([a-z\d]{1,9})\.([\w-]{22})(?![\w-])/.exec(token) ?? [];
  const merchantId = Buffer.from(packed, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  if (!isUuid(merchantId) || Number.parseInt(expires, 36) * SECOND_MS <= clock().getTime()) return null;
  const scope = { merchantId, environment: 'sandbox' } as const;
  const owner = await findPhoneOwner(db, scope);
  if (!owner) return null;
  const expected = Buffer.from(signature(secrets, merchantId, expires, owner.linksEnded));
  const given = Buffer.from(signed);
  return given.length === expected.length && timingSafeEqual(given, expected) ? { scope, merchantName: owner.merchantName } : null;
}

function signature(secrets: Pick<Secrets, 'token'>, merchantId: string, expires: string, linksEnded: number): string {
  return secrets.token('phone-link', `${merchantId}/${expires}/${linksEnded}`);
}

type NoPhones = AccessRefusal | 'live';

/** Returns the address of the merchant's test phones, which works without signing in. There are none in the live environment. */
export async function linkPhones(
  runtime: Pick<Runtime, 'db' | 'clock' | 'secrets' | 'settings'>,
  access: MerchantAccess,
): Promise<Result<string, NoPhones>> {
  const refusal = authorize(access, 'bills.create');
  if (refusal) return fail(refusal);
  if (access.scope.environment === 'live') return fail('live');
  return ok(runtime.settings.SANDBOX_BASE_URL.origin + (await signPhonePath(runtime, access.scope.merchantId)));
}

/** Makes all links to the merchant's test phones invalid. */
export async function endPhoneLinks(runtime: WriteRuntime, access: MerchantAccess): Promise<Result<void, NoPhones>> {
  const refusal = authorize(access, 'bills.change');
  if (refusal) return fail(refusal);
  if (access.scope.environment === 'live') return fail('live');
  const { scope, actor } = access;
  await runtime.db.transaction(async (tx) => {
    await tx.prisma.sandboxSettings.upsert({
      where: { merchantId_environment: scope },
      create: { ...scope, linksEnded: 1 },
      update: { linksEnded: { increment: 1 } },
    });
    await recordEntry(runtime, { ...scope, actor, action: 'phones.ended', subject: scope.merchantId, data: {} }, tx);
  });
  return ok(undefined);
}

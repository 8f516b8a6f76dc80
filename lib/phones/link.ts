import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '@/lib/config/secrets';
import { addMs, DAY_MS, SECOND_MS } from '@/lib/core/clock';
import { isUuid } from '@/lib/core/ids';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { findPhoneOwner } from './store';

/** How long a link to test phones is valid. */
const LINK_MS = 30 * DAY_MS;

type Needs = Pick<Runtime, 'db' | 'clock' | 'secrets'>;

/** The merchant whose phones a link shows. */
export interface PhoneVisit {
  readonly scope: Scope;
  readonly merchantName: string;
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

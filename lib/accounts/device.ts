import type { Secrets } from '@/lib/config/secrets';
import type { Random } from '@/lib/core/clock';

type Sealing = { readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'> };

const SEALED = /^[\w-]{40,200}$/;

/** @returns the id of a device that has just shown that it is its owner's. */
export function newDevice(random: Random): string {
  return Buffer.from(random(16)).toString('base64url');
}

/** @returns what the device keeps as a cookie. It is good for this account alone, and says nothing to whoever gets hold of it. */
export function sealDevice({ secrets }: Sealing, userId: string, device: string): string {
  return Buffer.from(secrets.encrypt(device, context(userId))).toString('base64url');
}

/** @param cookies every device cookie of a request. @returns the device's id, if one of them is ours and for this account. */
export function openDevice({ secrets }: Sealing, userId: string, cookies: readonly string[]): string | null {
  for (const cookie of cookies) {
    if (!SEALED.test(cookie)) continue;
    try {
      return secrets.decrypt(new Uint8Array(Buffer.from(cookie, 'base64url')), context(userId));
    } catch {
      // Another account's, or nothing of ours.
    }
  }
  return null;
}

function context(userId: string): string {
  return `device:${userId}`;
}

import type { Secrets } from '@/lib/config/secrets';
import type { Random } from '@/lib/core/clock';

type Sealing = { readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'> };

const SEALED = /^[\w-]{40,200}$/;

/** What was shown when a device became its owner's: the password alone, the mailbox, or a code of the second factor. */
export type DeviceProof = 'password' | 'mailbox' | 'code';

/** @returns the id of a device that has just shown that it is its owner's, and by what. */
export function newDevice(random: Random, proof: DeviceProof): string {
  return `${proof}:${Buffer.from(random(16)).toString('base64url')}`;
}

/** Pure. @returns what a device has shown; of an id that does not say it, the least. */
export function proofOf(device: string): DeviceProof {
  const [proof] = device.split(':');
  return proof === 'code' || proof === 'mailbox' ? proof : 'password';
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

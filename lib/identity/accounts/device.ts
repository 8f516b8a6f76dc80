import type { Secrets } from '@/lib/platform/config/secrets';
import type { Random } from '@/lib/platform/core/clock';

type Sealing = { readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'> };

const SEALED = /^[\w-]{40,200}$/;

/** What the user of the account proved on the device: knowledge of the password, access to the mailbox, or a code of the second factor. */
export type DeviceProof = 'password' | 'mailbox' | 'code';

/** Returns the id of a new known device. The id contains what the user has proven on the device. */
export function newDeviceId(random: Random, proof: DeviceProof): string {
  return `${proof}:${Buffer.from(random(16)).toString('base64url')}`;
}

/** Returns what the user has proven on the device with this id. An id that does not say it counts as `password`, the weakest proof. */
export function deviceProof(device: string): DeviceProof {
  const [proof] = device.split(':');
  return proof === 'code' || proof === 'mailbox' ? proof : 'password';
}

/** Returns the cookie value of a device: its id, encrypted for this account. The cookie reveals nothing and works for no other account. */
export function encryptDeviceCookie({ secrets }: Sealing, userId: string, device: string): string {
  return Buffer.from(secrets.encrypt(device, context(userId))).toString('base64url');
}

/** Returns the id of the device if one of the request's device cookies belongs to this account, else null. */
export function readDeviceCookie({ secrets }: Sealing, userId: string, cookies: readonly string[]): string | null {
  for (const cookie of cookies) {
    if (!SEALED.test(cookie)) continue;
    try {
      return secrets.decrypt(new Uint8Array(Buffer.from(cookie, 'base64url')), context(userId));
    } catch {
      // The cookie belongs to another account or is invalid.
    }
  }
  return null;
}

function context(userId: string): string {
  return `device:${userId}`;
}

import { timingSafeEqual } from 'node:crypto';
import { findDevices, type KnownDevice } from '@/lib/identity/accounts/cashier-store';
import { hashToken } from '@/lib/identity/accounts/token';
import type { Secrets } from '@/lib/platform/config/secrets';
import { isUuid } from '@/lib/platform/core/ids';
import type { Connection } from '@/lib/platform/db/database';

type Sealing = { readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'> };

const CONTEXT = 'cashier-device';
const SEALED = /^[\w-]{40,300}$/;

/** What the browser of a cashier's device has: the id of the device and its secret. */
export interface DeviceSecret {
  readonly id: string;
  readonly secret: string;
}

/** Returns the value of the cookie by which a cashier's device is recognised. */
export function encryptDeviceSecret({ secrets }: Sealing, { id, secret }: DeviceSecret): string {
  return Buffer.from(secrets.encrypt(`${id} ${secret}`, CONTEXT)).toString('base64url');
}

function decryptDeviceSecret({ secrets }: Sealing, cookie: string): DeviceSecret[] {
  if (!SEALED.test(cookie)) return [];
  try {
    const [id = '', secret = ''] = secrets.decrypt(new Uint8Array(Buffer.from(cookie, 'base64url')), CONTEXT).split(' ');
    return isUuid(id) ? [{ id, secret }] : [];
  } catch {
    // The cookie was not made by this deployment.
    return [];
  }
}

/**
 * Returns the text that is hashed and stored for a PIN. It includes the secret of the device: without this secret, nobody can find out the
 * PIN from a stolen hash.
 */
export function pinText(pin: string, secret: string): string {
  return `${pin} ${secret}`;
}

/** Returns the known devices of the request's cookies with their secrets, the last used first. */
export async function knownDevices(
  runtime: Sealing & { readonly db: Connection },
  cookies: readonly string[],
): Promise<(KnownDevice & Pick<DeviceSecret, 'secret'>)[]> {
  const shown = cookies.slice(0, 20).flatMap((cookie) => decryptDeviceSecret(runtime, cookie));
  if (shown.length === 0) return [];
  const found = await findDevices(
    runtime.db,
    shown.map(({ id }) => id),
  );
  return found.flatMap((device) => {
    const given = shown.find(({ id, secret }) => id === device.id && timingSafeEqual(hashToken(secret), device.secretHash));
    return given ? [{ ...device, secret: given.secret }] : [];
  });
}

import { cookies } from 'next/headers';
import { MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { cookieNames, cookieOptions } from './cookie-names';
import type { WebRuntime } from './web-runtime';

const LIFETIME_MS = 10 * MINUTE_MS;
const CONTEXT = 'typed-email';

type Needs = Pick<WebRuntime, 'settings' | 'secrets'>;

/**
 * Stores a typed e-mail address for the form that is shown again. The address is not in the URL, where it would stay in browser histories.
 */
export async function storeTypedEmail({ settings, secrets }: Needs, email: string): Promise<void> {
  const value = Buffer.from(secrets.encrypt(email, CONTEXT)).toString('base64url');
  (await cookies()).set({ name: cookieNames(settings).typed, value, maxAge: LIFETIME_MS / SECOND_MS, ...cookieOptions(settings) });
}

/** Returns the stored e-mail address, or an empty string. */
export async function readTypedEmail({ settings, secrets }: Needs): Promise<string> {
  const stored = (await cookies()).get(cookieNames(settings).typed)?.value;
  if (!stored) return '';
  try {
    return secrets.decrypt(new Uint8Array(Buffer.from(stored, 'base64url')), CONTEXT);
  } catch {
    // This installation did not encrypt the value of the cookie.
    return '';
  }
}

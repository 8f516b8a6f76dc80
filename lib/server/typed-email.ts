import { cookies } from 'next/headers';
import { MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { cookieNames, cookieOptions } from './cookie-names';
import type { WebRuntime } from './web-runtime';

const KEPT_MS = 10 * MINUTE_MS;
const CONTEXT = 'typed-email';

type Needs = Pick<WebRuntime, 'settings' | 'secrets'>;

/** Keeps an e-mail address for the form that is shown again: not in the page's address, where it would stay in histories. */
export async function keepTyped({ settings, secrets }: Needs, email: string): Promise<void> {
  const value = Buffer.from(secrets.encrypt(email, CONTEXT)).toString('base64url');
  (await cookies()).set({ name: cookieNames(settings).typed, value, maxAge: KEPT_MS / SECOND_MS, ...cookieOptions(settings) });
}

/** @returns what was typed before, empty when nothing was. */
export async function readTyped({ settings, secrets }: Needs): Promise<string> {
  const kept = (await cookies()).get(cookieNames(settings).typed)?.value;
  if (!kept) return '';
  try {
    return secrets.decrypt(new Uint8Array(Buffer.from(kept, 'base64url')), CONTEXT);
  } catch {
    // Nothing of ours.
    return '';
  }
}

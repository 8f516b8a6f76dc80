import type { Secrets } from '@/lib/config/secrets';
import type { Settings } from '@/lib/config/settings';
import { baseUrl } from '@/lib/config/settings';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@/lib/core/clock';
import { isUuid } from '@/lib/core/ids';
import { type Mobile, parseMobile } from '@/lib/core/mobile';
import type { Environment } from '@/lib/core/scope';
import { cookiesOf } from './cookies';

/** What a customer's device keeps of earlier visits to payment pages. */
export interface PayDevice {
  /** The prompt that this device asked for last: it may see its number whole. */
  readonly attemptId: string | null;
  /** The last number, where its owner agreed to that. */
  readonly mobile: Mobile | null;
}

type Needs = {
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
  readonly settings: Pick<Settings, 'PORT' | 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>;
};

/** Longer than any prompt that its owner still wonders about. */
const ATTEMPT_MS = HOUR_MS;
const MOBILE_MS = 365 * DAY_MS;
const SEALED = /^[\w-]{40,200}$/;

/** @returns what a request's cookies say; nothing of what we did not write for this environment ourselves. */
export function readDevice(runtime: Needs, environment: Environment, headers: Headers): PayDevice {
  const names = payCookieNames(runtime, environment);
  const cookies = cookiesOf(headers);
  const attemptId = open(runtime, cookies.get(names.attempt), `${environment}/pay-attempt`);
  const mobile = open(runtime, cookies.get(names.mobile), `${environment}/pay-mobile`);
  return { attemptId: attemptId !== null && isUuid(attemptId) ? attemptId : null, mobile: mobile === null ? null : parseMobile(mobile) };
}

/**
 * @param mobile null forgets the number that was kept.
 * @returns the Set-Cookie headers for what a device is to keep from now on. Both are encrypted: whoever gets hold of a cookie
 *   reads no number, and nobody can make one that shows them another's.
 */
export function writeDevice(runtime: Needs, environment: Environment, { attemptId, mobile }: PayDevice): string[] {
  const names = payCookieNames(runtime, environment);
  const secure = baseUrl(runtime.settings, environment).protocol === 'https:' ? '; Secure' : '';
  const attributes = (ms: number) => `Path=/pay; Max-Age=${ms / SECOND_MS}; HttpOnly; SameSite=Lax${secure}`;
  const cookie = (name: string, text: string | null, context: string, ms: number) =>
    text === null ? `${name}=; ${attributes(0)}` : `${name}=${seal(runtime, text, `${environment}/${context}`)}; ${attributes(ms)}`;
  return [
    ...(attemptId === null ? [] : [cookie(names.attempt, attemptId, 'pay-attempt', ATTEMPT_MS)]),
    cookie(names.mobile, mobile, 'pay-mobile', MOBILE_MS),
  ];
}

/** Names that carry port and environment, because cookies ignore the port. `__Host-` would need the path `/`. */
export function payCookieNames({ settings }: Pick<Needs, 'settings'>, environment: Environment): { attempt: string; mobile: string } {
  const prefix = baseUrl(settings, environment).protocol === 'https:' ? '__Secure-' : '';
  return { attempt: `${prefix}bili-${settings.PORT}.${environment}.asked`, mobile: `${prefix}bili-${settings.PORT}.${environment}.number` };
}

function seal({ secrets }: Needs, text: string, context: string): string {
  return Buffer.from(secrets.encrypt(text, context)).toString('base64url');
}

function open({ secrets }: Needs, sealed: string | undefined, context: string): string | null {
  if (sealed === undefined || !SEALED.test(sealed)) return null;
  try {
    return secrets.decrypt(new Uint8Array(Buffer.from(sealed, 'base64url')), context);
  } catch {
    // Forged, cut off, another deployment's or another environment's: the device has nothing.
    return null;
  }
}

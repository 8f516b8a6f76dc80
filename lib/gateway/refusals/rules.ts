import { addMs, DAY_MS } from '@/lib/platform/core/clock';

/** REQUESTED: not blocked yet. ACTIVE: the number is blocked. LIFTED: unblocked, or the request was rejected. */
export type RefusalState = 'REQUESTED' | 'ACTIVE' | 'LIFTED';

/** How long the code of a request to block a number is valid, milliseconds. */
const CODE_MS = 7 * DAY_MS;
/** Maximum number of requests from one address per day. Thousands of people may share one address, but few of them send a request. */
export const MAX_REQUESTS = 50;
export const REASON_MAX = 200;

export function codeExpiry(requestedAt: Date): Date {
  return addMs(requestedAt, CODE_MS);
}

/** Returns `now` minus the time for which a code is valid. The codes of requests made at the returned time or earlier have expired. */
export function expiredSince(now: Date): Date {
  return addMs(now, -CODE_MS);
}

/** Creates a code of six digits, which are easy to say on the phone in any language. @param bytes four random bytes. */
export function newCode(bytes: Uint8Array): string {
  const number = bytes.reduce((value, byte) => value * 256 + byte, 0);
  return String(number % 1_000_000).padStart(6, '0');
}

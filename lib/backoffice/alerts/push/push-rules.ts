import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';

/** A member has at most this many devices with notifications for one merchant and environment. A new device replaces the oldest. */
export const DEVICES_MAX = 10;
/** The longest accepted address of a push service. Real addresses have about 200 characters. */
const ENDPOINT_MAX = 1_000;

/** Pure. Returns the address of a push service as it is stored, or null if the text is not a valid address. */
export function readEndpoint(text: string): URL | null {
  return text.length <= ENDPOINT_MAX ? URL.parse(text) : null;
}

/** How often a worker checks whether there is news for a device. */
const EVERY_MS = 10 * SECOND_MS;
/** The shortest time between two pushes to a device. One push covers everything that happens in this time. */
const GAP_MS = 30 * SECOND_MS;
const RETRY_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS] as const;

/**
 * HTTP statuses by which a push service says that the browser has no such subscription, or that the subscription was made for another key.
 */
const GONE: readonly (number | null)[] = [400, 401, 403, 404, 410];

type PushDecision =
  | { readonly kind: 'delivered'; readonly dueAt: Date }
  | { readonly kind: 'retry'; readonly dueAt: Date }
  | { readonly kind: 'remove' };

/**
 * Pure. Decides what to do after the answer of a push service.
 * @param status the HTTP status; null if there was no answer.
 * @param failures how many pushes in a row failed before this one.
 */
export function decidePush(status: number | null, failures: number, now: Date): PushDecision {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered', dueAt: addMs(now, GAP_MS) };
  const wait = RETRY_MS[failures];
  return GONE.includes(status) || wait === undefined ? { kind: 'remove' } : { kind: 'retry', dueAt: addMs(now, wait) };
}

/** Pure. Returns when to look again for news for a device. Used after a look that found no news. */
export function nextLook(now: Date): Date {
  return addMs(now, EVERY_MS);
}

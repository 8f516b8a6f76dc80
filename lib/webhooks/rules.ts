import { createHmac } from 'node:crypto';
import type { Environment } from '@/lib/config/runtime';
import type { Settings } from '@/lib/config/settings';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { isLoopback } from '@/lib/core/loopback';
import { fail, ok, type Result } from '@/lib/core/result';
import { type AddressRules, judgeUrl, REFUSALS } from '@/lib/outbound/address-rules';

/** Pause before each further try, milliseconds: the second try comes 5 s after the first, the last one about seven days in. */
export const RETRY_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  ...Array.from({ length: 6 }, () => DAY_MS),
];

/** Share of the pause that jitter may add; it never takes any away. */
const JITTER = 0.1;
const SECRET_PREFIX = 'whsec_';

/** @param tries how many failed so far. @param chance from 0 to 1. @returns when to try again, or null when it is given up. */
export function nextTry(tries: number, now: Date, chance: number): Date | null {
  const pause = RETRY_MS[tries - 1];
  return pause === undefined ? null : addMs(now, pause * (1 + JITTER * chance));
}

/** @returns a signing secret as Standard Webhooks writes it, of 32 random bytes. */
export function formatSecret(random: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(random).toString('base64');
}

/** Signs after Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`. @returns the three headers. */
export function signatureHeaders(secret: string, { id, at, body }: { id: string; at: Date; body: Uint8Array }): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / SECOND_MS));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** @returns the message id of a delivery: the same at every try. */
export function messageId(deliveryId: string): string {
  return `msg_${deliveryId}`;
}

/** @returns where webhooks of an environment may go. A sandbox that only this machine reaches may call this machine. */
export function receiverRules(
  {
    LIVE_BASE_URL,
    SANDBOX_BASE_URL,
    WEBHOOK_ALLOWED_NETWORKS,
  }: Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL' | 'WEBHOOK_ALLOWED_NETWORKS'>,
  environment: Environment,
): AddressRules {
  return {
    fewPorts: environment === 'live',
    local: environment === 'sandbox' && isLoopback(LIVE_BASE_URL) && isLoopback(SANDBOX_BASE_URL),
    networks: WEBHOOK_ALLOWED_NETWORKS,
  };
}

/** @returns the address, or a sentence that says what is wrong with it. What a name stands for is judged whenever it is called. */
export function parseWebhookUrl(text: string, rules: AddressRules): Result<string, string> {
  if (!URL.canParse(text)) return fail(`"${text}" is not an address; a webhook address looks like https://shop.example.com/bili`);
  const url = new URL(text);
  const refusal = judgeUrl(url, rules);
  if (refusal) return fail(`a webhook address ${REFUSALS[refusal]}`);
  if (url.hash) return fail('a webhook address must not contain a # part');
  return ok(url.href);
}

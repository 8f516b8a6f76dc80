import { createHmac } from 'node:crypto';
import type { Settings } from '@/lib/platform/config/settings';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { isLoopback } from '@/lib/platform/core/loopback';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import { type AddressRules, judgeUrl, REFUSALS } from '@/lib/platform/outbound/address-rules';

/** Delays before each retry, in milliseconds. The first retry comes after 5 s, the last one about seven days after the first attempt. */
export const WEBHOOK_RETRY_MS: readonly number[] = [
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

/** Jitter lengthens a delay by up to this share. It never shortens one. */
const JITTER = 0.1;
const SECRET_PREFIX = 'whsec_';

interface FailedAttempt {
  /** Number of failed attempts, including this one. */
  readonly failures: number;
  readonly now: Date;
  /** Random number from 0 to 1: the share of the jitter that is added. */
  readonly chance: number;
  /** The time in the receiver's Retry-After header. */
  readonly retryAfter: Date | null;
  /** Whether the endpoint has accepted another delivery since this one was created. */
  readonly othersAccepted: boolean;
  /** Upper limit for the delay, in milliseconds. If Retry-After asks for a longer delay, Retry-After applies. */
  readonly delayMaxMs?: number | undefined;
  /** Multiplies the delay, but not Retry-After. A merchant can shorten the delay in the sandbox. */
  readonly factor?: number | undefined;
}

/** Longest delay between delivery attempts in the sandbox while the delivery is younger than SANDBOX_QUICK_MS, in milliseconds. */
export const SANDBOX_RETRY_MS = 15 * SECOND_MS;

/**
 * Returns when to retry, or null if the delivery is exhausted. A delivery is exhausted only if the endpoint has accepted others.
 * An endpoint that accepts nothing is disabled instead, and its deliveries are kept. Retry-After is honoured, up to a day.
 */
export function nextAttemptTime({
  failures,
  now,
  chance,
  retryAfter,
  othersAccepted,
  delayMaxMs = DAY_MS,
  factor = 1,
}: FailedAttempt): Date | null {
  const delay = WEBHOOK_RETRY_MS[failures - 1] ?? (othersAccepted ? undefined : DAY_MS);
  if (delay === undefined) return null;
  const requested = retryAfter ? Math.min(retryAfter.getTime() - now.getTime(), DAY_MS) : 0;
  return addMs(now, Math.max(Math.min(delay, delayMaxMs) * factor, requested) * (1 + JITTER * chance));
}

/** Formats a signing secret as Standard Webhooks defines it. @param random 32 random bytes. */
export function formatSecret(random: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(random).toString('base64');
}

/**
 * Signs a webhook as Standard Webhooks 1.0.0 defines it: HMAC-SHA256 over `id.timestamp.body`, once with each secret. A receiver
 * accepts any valid signature. @returns the three headers.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: Uint8Array },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / SECOND_MS));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** Returns the `webhook-id` of a delivery. All its attempts have the same one. */
export function messageId(deliveryId: string): string {
  return `msg_${deliveryId}`;
}

/** Returns the addresses that webhooks of an environment may call. A sandbox that only this machine can reach may call loopback. */
export function receiverRules(
  settings: Pick<Settings, 'HOST' | 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL' | 'WEBHOOK_ALLOWED_NETWORKS'>,
  environment: Environment,
): AddressRules {
  return {
    standardPortsOnly: environment === 'live',
    local: environment === 'sandbox' && isOnlyLocal(settings),
    networks: settings.WEBHOOK_ALLOWED_NETWORKS,
  };
}

/**
 * Returns whether only this machine can connect to Bili. Checks HOST too, because others may be able to connect even if the base URLs are
 * loopback addresses.
 */
function isOnlyLocal({ HOST, LIVE_BASE_URL, SANDBOX_BASE_URL }: Pick<Settings, 'HOST' | 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>): boolean {
  const listensLocally = HOST !== undefined && isLoopback({ hostname: HOST.includes(':') ? `[${HOST}]` : HOST });
  return listensLocally && isLoopback(LIVE_BASE_URL) && isLoopback(SANDBOX_BASE_URL);
}

/** Returns the normalized URL, or a sentence that says what is wrong with it. Host names are resolved and checked at each call. */
export function parseWebhookUrl(text: string, rules: AddressRules): Result<string, string> {
  if (!URL.canParse(text)) return fail(`"${text}" is not a URL; a webhook address looks like https://shop.example.com/bili`);
  const url = new URL(text);
  const refusal = judgeUrl(url, rules);
  if (refusal) return fail(`a webhook address ${REFUSALS[refusal]}`);
  if (url.hash) return fail('a webhook address must not contain a # part');
  return ok(url.href);
}

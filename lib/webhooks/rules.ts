import { createHmac } from 'node:crypto';
import type { Settings } from '@/lib/config/settings';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { isLoopback } from '@/lib/core/loopback';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Environment } from '@/lib/core/scope';
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

interface Failed {
  /** How many tries have failed so far. */
  readonly tries: number;
  readonly now: Date;
  /** From 0 to 1: how much of the jitter is added. */
  readonly chance: number;
  /** When the receiver asked to be tried again, if it did. */
  readonly retryAfter: Date | null;
  /** Whether the receiver takes others, but not this one. */
  readonly othersPass: boolean;
  /** The longest pause before the next try, milliseconds, where there is one; what the receiver asks for may be longer. */
  readonly pauseMaxMs?: number | undefined;
}

/** The longest pause between two tries of a young delivery in the sandbox, milliseconds. */
export const SANDBOX_RETRY_MS = 15 * SECOND_MS;

/**
 * @returns when to try again; null when it is given up, which only happens where others get through: an endpoint that takes
 *   nothing at all is disabled instead, and what it is owed is kept. What the receiver asks for is honoured, up to a day.
 */
export function nextTry({ tries, now, chance, retryAfter, othersPass, pauseMaxMs = DAY_MS }: Failed): Date | null {
  const pause = RETRY_MS[tries - 1] ?? (othersPass ? undefined : DAY_MS);
  if (pause === undefined) return null;
  const asked = retryAfter ? Math.min(retryAfter.getTime() - now.getTime(), DAY_MS) : 0;
  return addMs(now, Math.max(Math.min(pause, pauseMaxMs), asked) * (1 + JITTER * chance));
}

/** @returns a signing secret as Standard Webhooks writes it, of 32 random bytes. */
export function formatSecret(random: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(random).toString('base64');
}

/**
 * Signs after Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`, with each secret: a receiver accepts any that fits.
 * @returns the three headers.
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

/** @returns the message id of a delivery: the same at every try. */
export function messageId(deliveryId: string): string {
  return `msg_${deliveryId}`;
}

/** @returns where webhooks of an environment may go. A sandbox that only this machine reaches may call this machine. */
export function receiverRules(
  settings: Pick<Settings, 'HOST' | 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL' | 'WEBHOOK_ALLOWED_NETWORKS'>,
  environment: Environment,
): AddressRules {
  return {
    fewPorts: environment === 'live',
    local: environment === 'sandbox' && isOnlyLocal(settings),
    networks: settings.WEBHOOK_ALLOWED_NETWORKS,
  };
}

/** Judged by the listening address too: a base address says where clients are sent, not who can connect. */
function isOnlyLocal({ HOST, LIVE_BASE_URL, SANDBOX_BASE_URL }: Pick<Settings, 'HOST' | 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>): boolean {
  const listensLocally = HOST !== undefined && isLoopback({ hostname: HOST.includes(':') ? `[${HOST}]` : HOST });
  return listensLocally && isLoopback(LIVE_BASE_URL) && isLoopback(SANDBOX_BASE_URL);
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

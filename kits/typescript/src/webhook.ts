import { type BillSummary, readSummary } from './bill.ts';
import { BiliWebhookError } from './errors.ts';
import { fields } from './fields.ts';

/** A verified webhook. */
export interface WebhookEvent {
  /** The `webhook-id`. It is the same when Bili sends the webhook again: store it, and ignore an id that you know. */
  readonly id: string;
  /** When this request was sent. */
  readonly timestamp: Date;
  /** The bill as it was at the time of the event. Read it with `getBill` before you hand over goods: its status may have changed since. */
  readonly bill: BillSummary;
}

export interface WebhookOptions {
  /** How far the timestamp may be from now. Default: 300 seconds. */
  readonly toleranceSeconds?: number;
  /** Unix milliseconds, for tests. */
  readonly now?: () => number;
}

/** Headers as fetch, Node.js and the frameworks represent them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const encoder = new TextEncoder();

/** Verifies webhooks of Bili, which are signed as Standard Webhooks describes. */
export class Webhook {
  readonly #keys: readonly Uint8Array<ArrayBuffer>[];
  readonly #toleranceSeconds: number;
  readonly #now: () => number;

  /** @param secrets the signing secret, `whsec_…`, or several while one replaces another. */
  constructor(secrets: string | readonly string[], { toleranceSeconds = 300, now = Date.now }: WebhookOptions = {}) {
    this.#keys = (typeof secrets === 'string' ? [secrets] : (secrets ?? [])).map(readSecret);
    if (this.#keys.length === 0) throw new BiliWebhookError('secret_invalid', 'There is no signing secret');
    this.#toleranceSeconds = toleranceSeconds;
    this.#now = now;
  }

  /**
   * Verifies a webhook.
   * @param body the raw body. A body that was parsed and written again has another signature.
   * @throws BiliWebhookError if it is not from Bili or is too old. Answer 401 then.
   */
  async verify(body: string | Uint8Array, headers: WebhookHeaders): Promise<WebhookEvent> {
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new BiliWebhookError('body_not_raw', 'The body was parsed before the verification. Pass the raw body, as text or bytes.');
    const id = header(headers, 'webhook-id');
    const timestamp = header(headers, 'webhook-timestamp');
    const signatures = header(headers, 'webhook-signature');
    const seconds = this.#checkTimestamp(timestamp);
    const bytes = typeof body === 'string' ? encoder.encode(body) : body;
    const signed = join(encoder.encode(`${id}.${timestamp}.`), bytes);
    if (!(await this.#matches(signed, signatures)))
      throw new BiliWebhookError('signature_mismatch', 'No signature matches. Check the secret, and that the body is the raw one.');
    return { id, timestamp: new Date(seconds * 1000), bill: readBody(bytes) };
  }

  #checkTimestamp(timestamp: string): number {
    if (!/^\d{1,12}$/.test(timestamp)) throw new BiliWebhookError('timestamp_invalid', 'webhook-timestamp is not a number of seconds');
    const age = this.#now() / 1000 - Number(timestamp);
    if (age > this.#toleranceSeconds) throw new BiliWebhookError('timestamp_too_old', 'The webhook is too old. Check the clock.');
    if (age < -this.#toleranceSeconds) throw new BiliWebhookError('timestamp_too_new', 'The webhook is from the future. Check the clock.');
    return Number(timestamp);
  }

  async #matches(signed: Uint8Array<ArrayBuffer>, signatures: string): Promise<boolean> {
    const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? (decodeBase64(one.slice(3)) ?? []) : []));
    for (const secret of this.#keys) {
      const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
      // Compares in constant time.
      for (const signature of given) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
    }
    return false;
  }
}

function readSecret(secret: string): Uint8Array<ArrayBuffer> {
  const key = decodeBase64(secret.trim().replace(/^whsec_/, ''));
  if (!key || key.length < 16) throw new BiliWebhookError('secret_invalid', 'The signing secret must be whsec_ and base64');
  return key;
}

function header(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
  if (typeof value !== 'string' || value === '') throw new BiliWebhookError('header_missing', `The header ${name} is missing`);
  return value;
}

function findHeader(headers: Exclude<WebhookHeaders, Headers>, name: string): string | null {
  for (const [key, value] of Object.entries(headers))
    if (key.toLowerCase() === name) return typeof value === 'string' ? value : (value?.[0] ?? null);
  return null;
}

function readBody(bytes: Uint8Array): BillSummary {
  try {
    return readSummary(fields(fields(JSON.parse(new TextDecoder().decode(bytes))).bill, 'bill'));
  } catch (error) {
    throw new BiliWebhookError('body_invalid', `The webhook is signed, but is not about a bill: ${String(error)}`);
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

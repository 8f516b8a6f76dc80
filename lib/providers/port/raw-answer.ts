import { SECOND_MS } from '@/lib/platform/core/clock';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import { callOnce, type OutboundAnswer } from '@/lib/platform/outbound/call-once';
import type { FailureReason } from './outcome';
import type { RawAnswer, ReadCallback } from './port';

/** Converts the result of a call. An answer that was cut off counts as no answer, because its content is unknown. */
export function toRawAnswer({ status, headers, body, error }: OutboundAnswer): RawAnswer {
  return { status, headers, body, error: error?.detail ?? null, lost: error ? (error.sent ? 'unknown' : 'not_sent') : null };
}

/** Creates the answer for a request that was never made. @param error the reason. */
export function notSent(error: string): RawAnswer {
  return { status: null, headers: {}, body: new Uint8Array(), lost: 'not_sent', error };
}

/** Creates the answer for a request that was never made, because its call for an access token failed. */
export function noToken({ status, error }: RawAnswer): RawAnswer {
  return notSent(`no token: ${error ?? `HTTP ${status}`}`);
}

/** HTTP statuses with which a provider refuses credentials. 423: an expired secret at AzamPay. */
const REFUSING: readonly (number | null)[] = [401, 403, 423];

/**
 * Creates the answer for a request that was never made, because the provider refuses the credentials of the account.
 * @param answer the refusal: the provider's answer to an earlier call that the request needed, such as the call for a token.
 */
export function credentialsRefused(answer: RawAnswer): RawAnswer {
  return { ...answer, lost: 'not_sent', error: `the provider refuses the credentials: HTTP ${answer.status}` };
}

/** Returns whether a request was never made because the provider refuses the credentials of the account. */
export function refusesCredentials({ lost, status }: RawAnswer): boolean {
  return lost === 'not_sent' && REFUSING.includes(status);
}

/** Creates the reply to a callback. */
export function jsonReply(body: object, status = 200): ReadCallback['reply'] {
  return { status, body: JSON.stringify(body), contentType: 'application/json' };
}

/** Returns undefined if the bytes are not JSON. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Returns whether the HTTP status is 2xx. */
export function isSuccess({ status }: Pick<RawAnswer, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Time limit of a call, unless the provider needs longer. */
export const CALL_TIMEOUT_MS = 30 * SECOND_MS;

interface JsonCall {
  /** POST by default if there is a body, and GET otherwise. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as the text that `JSON.stringify` returns. */
  readonly body?: object | undefined;
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Certificates (PEM) that are trusted instead of those of the system. */
  readonly ca?: string | undefined;
}

/** Calls a provider once, with a JSON body if there is one. Never throws because of the provider or the network. */
export async function callJson(url: string | URL, { headers, body, timeoutMs = CALL_TIMEOUT_MS, ...call }: JsonCall): Promise<RawAnswer> {
  const answer = await callOnce(String(url), {
    headers: { 'content-type': 'application/json', ...headers },
    timeoutMs,
    signal: call.signal,
    ca: call.ca,
    method: call.method ?? (body ? 'POST' : 'GET'),
    ...(body && { body: JSON.stringify(body) }),
  });
  return toRawAnswer(answer);
}

/** Reads an amount in shillings, such as `5000` or `5000.00`. Returns senti; null if it is not whole, not above zero or not an amount. */
export function readAmount(value: string | number | null | undefined): Senti | null {
  const [, shillings = ''] = /^(\d{1,15})(?:\.0+)?$/.exec(String(value ?? '')) ?? [];
  return shillings === '' || BigInt(shillings) === 0n ? null : BigInt(shillings) * SENTI_PER_SHILLING;
}

/** Reads an amount like `readAmount`, for providers that also write `37,600.00`. */
export function readGroupedAmount(value: string | number | null | undefined): Senti | null {
  const text = String(value ?? '');
  return readAmount(/^\d{1,3}(,\d{3}){1,4}(\.0+)?$/.test(text) ? text.replaceAll(',', '') : text);
}

/** Reads a fee in shillings exactly, such as `57.5` or `0`. Returns senti, rounded if there are more than two decimals; null if it is no amount. */
export function readFee(value: string | number | null | undefined): Senti | null {
  const [, shillings, decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(value ?? '')) ?? [];
  if (shillings === undefined) return null;
  const senti = BigInt(shillings) * SENTI_PER_SHILLING + BigInt(decimals.slice(0, 2).padEnd(2, '0'));
  return decimals.charAt(2) >= '5' ? senti + 1n : senti;
}

/** The first pattern that matches counts: "insufficient balance to complete within your limit" is about the balance. */
const PATTERNS: readonly (readonly [RegExp, FailureReason])[] = [
  [/insufficient|not enough|low balance/i, 'insufficient_funds'],
  [/\bpin\b/i, 'wrong_pin'],
  [/limit|exceed/i, 'limit_exceeded'],
  [/cancel|declin|refus|rejected by/i, 'user_cancelled'],
  [/not registered|no wallet|not found|invalid (msisdn|phone|number|customer)|barred/i, 'mobile_not_registered'],
  [/expire|timed?[ -]?out|no response/i, 'user_timeout'],
];

/**
 * Guesses the reason of a failure from a provider's text, for providers that document no codes. Call this only if it is certain that the
 * payment failed.
 */
export function reasonOfText(text: string | null | undefined): FailureReason {
  return PATTERNS.find(([pattern]) => pattern.test(text ?? ''))?.[1] ?? 'rejected';
}

const OPEN =
  /time(d)?[ -]?out|pending|process|progress|try again|internal|unavailable|unexpected|error occurred|went wrong|no response|not respond|connect|(system|server|application|network|gateway) error/i;

/**
 * Tells whether the text of a refusal leaves open whether the customer has the prompt, for providers that use one status or code for every
 * refusal.
 */
export function leavesOpen(text: string): boolean {
  return OPEN.test(text);
}

import type { OutboundAnswer } from '@/lib/outbound/call-once';
import type { RawAnswer, ReadCallback } from './port';

/** Converts the result of a call. An answer that was cut off counts as no answer, because its content is unknown. */
export function toRawAnswer({ status, headers, body, error }: OutboundAnswer): RawAnswer {
  return { status, headers, body, error: error?.detail ?? null, lost: error ? (error.sent ? 'unknown' : 'not_sent') : null };
}

/** Creates the answer for a request that was never made. @param error the reason. */
export function notSent(error: string): RawAnswer {
  return { status: null, headers: {}, body: new Uint8Array(), lost: 'not_sent', error };
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

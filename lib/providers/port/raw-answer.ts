import type { OutboundAnswer } from '@/lib/outbound/call-once';
import type { RawAnswer } from './port';

/** A cut answer is no answer: what it would have said is unknown. */
export function toRawAnswer({ status, headers, body, error }: OutboundAnswer): RawAnswer {
  return { status, headers, body, error: error?.detail ?? null, lost: error ? (error.sent ? 'unknown' : 'not_sent') : null };
}

/** An answer for a request that was never made. @param error why. */
export function notSent(error: string): RawAnswer {
  return { status: null, headers: {}, body: new Uint8Array(), lost: 'not_sent', error };
}

/** @returns the value, or undefined when the bytes are no JSON. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

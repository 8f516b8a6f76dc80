import { SECOND_MS } from '@/lib/core/clock';
import { callOnce } from '@/lib/outbound/call-once';
import type { RawAnswer } from './port';
import { toRawAnswer } from './raw-answer';

/** Time limit of a call, unless the provider needs longer. */
export const CALL_TIMEOUT_MS = 30 * SECOND_MS;

interface JsonCall {
  /** POST by default if there is a body, and GET otherwise. */
  readonly method?: 'GET' | 'POST' | 'PUT';
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

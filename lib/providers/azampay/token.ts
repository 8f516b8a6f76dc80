import { type Clock, MINUTE_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { callJson } from '@/lib/providers/port/call-json';
import { OPEN_TIMEOUT_MS, type OpenedSession } from '@/lib/providers/port/find-session';
import type { RawAnswer } from '@/lib/providers/port/port';
import { credentialsRefused, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import type { AzampayCredentials } from './credentials';
import { TOKEN_PATH, tokenSchema } from './wire';

/** A token is valid for about an hour. This lifetime applies if AzamPay's answer names no end of the token, or a later end. */
const TOKEN_MAX_MS = 55 * MINUTE_MS;

/** Returns the address of a path. A simulator serves each host below a path of its own. */
export function addressAt(base: string, path: string): string {
  return `${base.replace(/\/$/, '')}${path}`;
}

/** Returns the headers of every call. The official plugin sends the key also in the call for a token. */
export function headersOf({ apiKey }: AzampayCredentials): Record<string, string> {
  return { accept: 'application/json', ...(apiKey !== undefined && { 'x-api-key': apiKey }) };
}

/** Asks for a token. */
export async function openSession(
  credentials: AzampayCredentials,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result<OpenedSession, RawAnswer>> {
  const { authUrl, appName, clientId, clientSecret } = credentials;
  const answer = await callJson(addressAt(authUrl, TOKEN_PATH), {
    headers: headersOf(credentials),
    body: { appName, clientId, clientSecret },
    timeoutMs: OPEN_TIMEOUT_MS,
    signal,
  });
  // HTTP 423 means wrong details or an expired secret. After any other refusal, the next request for a token may succeed.
  if (answer.lost === null && answer.status === 423) return fail(credentialsRefused(answer));
  const opened = tokenSchema.safeParse(parseJson(answer.body)).data;
  if (answer.lost || answer.status !== 200 || !opened || opened.success === false)
    return fail(notSent(`no token: ${answer.error ?? `HTTP ${answer.status}`}`));
  const { accessToken, expire, expireAt } = opened.data;
  const leftMs = Date.parse(expire ?? expireAt ?? '') - clock().getTime();
  return ok({ token: accessToken, lifeMs: leftMs > 0 && leftMs < TOKEN_MAX_MS ? leftMs : TOKEN_MAX_MS });
}

import { type Clock, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { callOnce } from '@/lib/outbound/call-once';
import type { OpenedSession, SessionOptions } from '@/lib/providers/port/find-session';
import type { RawAnswer } from '@/lib/providers/port/port';
import { notSent, parseJson } from '@/lib/providers/port/raw-answer';
import type { AzampayCredentials } from './credentials';
import { TOKEN_PATH, tokenSchema } from './wire';

const TOKEN_TIMEOUT_MS = 15 * SECOND_MS;
/** A token lives about an hour. This lifetime applies if AzamPay does not say when the token ends, or names a later time. */
const TOKEN_MAX_MS = 55 * MINUTE_MS;
export const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/** Returns the address of a path. A simulator serves each host below a path of its own. */
export function addressAt(base: string, path: string): string {
  return `${base.replace(/\/$/, '')}${path}`;
}

/** The official plugin sends this header with each call, also with the one for a token. */
export function keyHeader({ apiKey }: AzampayCredentials): Record<string, string> {
  return apiKey === undefined ? {} : { 'x-api-key': apiKey };
}

/** Returns how a new token of an account is requested. */
export function tokenOptions(credentials: AzampayCredentials, clock: Clock): SessionOptions {
  return { open: (signal) => openSession(credentials, clock, signal), timeoutMs: TOKEN_TIMEOUT_MS, warmupMs: 0 };
}

async function openSession(credentials: AzampayCredentials, clock: Clock, signal: AbortSignal): Promise<Result<OpenedSession, RawAnswer>> {
  const { authUrl, appName, clientId, clientSecret } = credentials;
  const answer = await callOnce(addressAt(authUrl, TOKEN_PATH), {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...keyHeader(credentials) },
    body: JSON.stringify({ appName, clientId, clientSecret }),
    timeoutMs: TOKEN_TIMEOUT_MS,
    signal,
  });
  const opened = tokenSchema.safeParse(parseJson(answer.body)).data;
  if (answer.error || answer.status !== 200 || !opened || opened.success === false)
    return fail(notSent(`no token: ${answer.error?.detail ?? describeRefusal(answer.status)}`));
  const { accessToken, expire, expireAt } = opened.data;
  const leftMs = Date.parse(expire ?? expireAt ?? '') - clock().getTime();
  return ok({ token: accessToken, lifeMs: leftMs > 0 && leftMs < TOKEN_MAX_MS ? leftMs : TOKEN_MAX_MS });
}

function describeRefusal(status: number | null): string {
  return status === 423 ? 'HTTP 423: the app name, client id or secret is wrong, or the secret has expired' : `HTTP ${status}`;
}

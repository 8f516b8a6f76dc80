import { constants, type KeyObject, publicEncrypt } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { callJson } from '@/lib/providers/port/call-json';
import { OPEN_TIMEOUT_MS, type OpenedSession, type SessionOptions } from '@/lib/providers/port/find-session';
import type { RawAnswer } from '@/lib/providers/port/port';
import { notSent, parseJson } from '@/lib/providers/port/raw-answer';
import type { MpesaCredentials } from './credentials';
import { PATHS, sessionAnswerSchema } from './wire';

/** Returns how sessions are opened with these credentials. */
export function sessionOptions(credentials: MpesaCredentials): SessionOptions {
  return {
    open: (signal) => openSession(credentials, signal),
    warmupMs: credentials.sessionWarmupSeconds * SECOND_MS,
  };
}

/** Encrypts a secret with RSA PKCS#1 v1.5, in base64. The secret is the API key for getSession, and the session id for all other calls. */
function toBearer(publicKey: KeyObject, secret: string): string {
  return `Bearer ${publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(secret)).toString('base64')}`;
}

/** Returns `toBearer` with a cache of the last result for each key, because many calls use one session and encryption is expensive. */
export function rememberBearers(): typeof toBearer {
  const last = new WeakMap<KeyObject, { readonly secret: string; readonly bearer: string }>();
  return (publicKey, secret) => {
    const known = last.get(publicKey);
    if (known?.secret === secret) return known.bearer;
    const bearer = toBearer(publicKey, secret);
    last.set(publicKey, { secret, bearer });
    return bearer;
  };
}

export function endpointOf({ baseUrl, env, market }: MpesaCredentials, path: string): string {
  return new URL(`/${env}/ipg/v2/${market}/${path}`, baseUrl).href;
}

async function openSession(credentials: MpesaCredentials, signal: AbortSignal): Promise<Result<OpenedSession, RawAnswer>> {
  const { publicKey, apiKey, origin, sessionMinutes } = credentials;
  const headers = { authorization: toBearer(publicKey, apiKey), origin };
  const answer = await callJson(endpointOf(credentials, PATHS.session), { headers, timeoutMs: OPEN_TIMEOUT_MS, signal });
  const parsed = sessionAnswerSchema.safeParse(parseJson(answer.body));
  const { output_ResponseCode: code = '', output_SessionID: id = '' } = parsed.data ?? {};
  if (answer.lost || code !== 'INS-0' || id === '') {
    return fail(notSent(`no session: ${answer.error ?? `HTTP ${answer.status} ${code}`.trim()}`));
  }
  // M-Pesa's answers do not contain the lifetime of a session.
  return ok({ token: id, lifeMs: sessionMinutes * MINUTE_MS });
}

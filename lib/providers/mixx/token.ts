import { SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { callOnce } from '@/lib/outbound/call-once';
import { OPEN_TIMEOUT_MS, type OpenedSession } from '@/lib/providers/port/find-session';
import type { RawAnswer } from '@/lib/providers/port/port';
import { notSent, parseJson, toRawAnswer } from '@/lib/providers/port/raw-answer';
import type { MixxCredentials } from './credentials';
import { refusesClient } from './read';
import { tokenSchema } from './wire';

/**
 * The shortest lifetime of a token. It applies if Yas names a shorter lifetime or none that is readable. It is long enough for the requests
 * that already wait for the token.
 */
const MIN_LIFE_MS = 10 * SECOND_MS;

/** Asks for a token. */
export async function openSession(credentials: MixxCredentials, signal: AbortSignal): Promise<Result<OpenedSession, RawAnswer>> {
  const { tokenUrl, username, password, certificates } = credentials;
  const answer = toRawAnswer(
    await callOnce(tokenUrl, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username, password, grant_type: 'password' }).toString(),
      timeoutMs: OPEN_TIMEOUT_MS,
      signal,
      ca: certificates,
    }),
  );
  const opened = answer.lost === null && answer.status === 200 ? tokenSchema.safeParse(parseJson(answer.body)).data : undefined;
  if (opened) return ok({ token: opened.access_token, lifeMs: Math.max(opened.expires_in * SECOND_MS, MIN_LIFE_MS) });
  // This answer says that the credentials are wrong. After any other answer, the next request for a token may succeed.
  if (refusesClient(answer)) return fail(answer);
  return fail(notSent(`no token: ${answer.error ?? `HTTP ${answer.status}`}`));
}

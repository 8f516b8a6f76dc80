import { constants, type KeyObject, publicEncrypt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { callOnce } from '@/lib/outbound/call-once';
import type { RawAnswer } from '../port';
import { notSent, parseJson } from '../raw-answer';
import type { MpesaCredentials } from './credentials';
import { PATHS, sessionAnswerSchema } from './wire';

export const SESSION_TIMEOUT_MS = 15 * SECOND_MS;
/** A session is renewed in the last tenth of its life. */
const RENEW_AT = 0.9;

/** The sessions of every account, one each. */
export interface Sessions {
  /**
   * @returns the value of the Authorization header, waiting for a session that works; or an answer that says the request
   *   was never sent, and why.
   */
  authorization(accountId: string, credentials: MpesaCredentials, signal: AbortSignal): Promise<Result<string, RawAnswer>>;
  /** Forgets a session that was refused. One that has replaced it since stays. */
  drop(accountId: string, authorization: string): void;
}

interface Live {
  readonly authorization: string;
  readonly renewAt: number;
  readonly endsAt: number;
}

interface Slot {
  /** The key it was made with: changed credentials start afresh. */
  readonly apiKey: string;
  live: Live | null;
  /** The one renewal under way. */
  coming: Promise<Result<Live, RawAnswer>> | null;
}

export function createSessions(clock: Clock): Sessions {
  const slots = new Map<string, Slot>();

  function slotOf(accountId: string, { apiKey }: MpesaCredentials): Slot {
    const known = slots.get(accountId);
    if (known?.apiKey === apiKey) return known;
    const slot: Slot = { apiKey, live: null, coming: null };
    slots.set(accountId, slot);
    return slot;
  }

  async function renew(slot: Slot, credentials: MpesaCredentials): Promise<Result<Live, RawAnswer>> {
    try {
      const made = await openSession(credentials, clock);
      if (!made.ok) return made;
      await delay(credentials.sessionWarmupSeconds * SECOND_MS);
      slot.live = made.value;
      return made;
    } finally {
      slot.coming = null;
    }
  }

  return {
    async authorization(accountId, credentials, signal) {
      const slot = slotOf(accountId, credentials);
      const now = clock().getTime();
      if (slot.live && now < slot.live.renewAt) return ok(slot.live.authorization);
      slot.coming ??= renew(slot, credentials);
      // The old one serves while the new one warms up.
      if (slot.live && now < slot.live.endsAt) return ok(slot.live.authorization);
      const made = await unlessAborted(slot.coming, signal);
      return made.ok ? ok(made.value.authorization) : made;
    },
    drop(accountId, authorization) {
      const slot = slots.get(accountId);
      if (slot?.live?.authorization === authorization) slot.live = null;
    },
  };
}

/** Base64 of RSA PKCS#1 v1.5 over a secret: the API key for getSession, the session's id for everything else. */
export function toBearer(publicKey: KeyObject, secret: string): string {
  return `Bearer ${publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(secret)).toString('base64')}`;
}

/** @returns the address of an operation. */
export function endpointOf({ baseUrl, env, market }: MpesaCredentials, path: string): string {
  return new URL(`/${env}/ipg/v2/${market}/${path}`, baseUrl).href;
}

async function openSession(credentials: MpesaCredentials, clock: Clock): Promise<Result<Live, RawAnswer>> {
  const { publicKey, apiKey, origin, sessionMinutes } = credentials;
  const asked = clock().getTime();
  const answer = await callOnce(endpointOf(credentials, PATHS.session), {
    method: 'GET',
    headers: { 'content-type': 'application/json', authorization: toBearer(publicKey, apiKey), origin },
    timeoutMs: SESSION_TIMEOUT_MS,
  });
  const parsed = sessionAnswerSchema.safeParse(parseJson(answer.body));
  const { output_ResponseCode: code = '', output_SessionID: id = '' } = parsed.data ?? {};
  if (answer.error || code !== 'INS-0' || id === '') {
    return fail(notSent(`no session: ${answer.error?.detail ?? `HTTP ${answer.status} ${code}`.trim()}`));
  }
  const lifeMs = sessionMinutes * MINUTE_MS;
  return ok({ authorization: toBearer(publicKey, id), renewAt: asked + lifeMs * RENEW_AT, endsAt: asked + lifeMs });
}

async function unlessAborted(coming: Promise<Result<Live, RawAnswer>>, signal: AbortSignal): Promise<Result<Live, RawAnswer>> {
  const done = new AbortController();
  const aborted = Promise.withResolvers<Result<never, RawAnswer>>();
  const stop = () => aborted.resolve(fail(notSent('stopped while waiting for a session')));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true, signal: done.signal });
  try {
    return await Promise.race([coming, aborted.promise]);
  } finally {
    done.abort();
  }
}

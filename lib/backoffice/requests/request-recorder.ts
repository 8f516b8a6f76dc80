import { v7 } from 'uuid';
import { type Random, SECOND_MS } from '@/lib/platform/core/clock';
import type { Scope } from '@/lib/platform/core/scope';
import { recorder } from '@/lib/platform/metrics/recorder';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { maskSecrets, maskText } from './mask';
import { insertRequests, type RequestRow } from './request-store';
import {
  ANSWER_MAX,
  type AnsweredRequest,
  BODY_MAX,
  PATH_MAX,
  PER_SECOND,
  type RequestKind,
  WAITING_BYTES_MAX,
  WAITING_MAX,
} from './rules';

/** Collects requests for the request log in memory, and writes them once a second. Each web process has one. */
export interface RequestRecorder {
  /** Returns whether a request of this kind may still be recorded in this second. If so, counts the request. */
  accepts(scope: Scope, kind: RequestKind): boolean;
  add(request: AnsweredRequest): void;
  /** Writes all requests that wait. */
  flush(): Promise<void>;
}

export function createRequestRecorder({ db, random, log }: Pick<Runtime, 'db' | 'random' | 'log'>): RequestRecorder {
  let second = 0;
  const counts = new Map<string, number>();
  let waiting: AnsweredRequest[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    bytes = 0;
    if (batch.length === 0) return;
    try {
      await insertRequests(
        db,
        batch.map((request) => requestRow(request, random)),
      );
    } catch (error) {
      // The requests are dropped: the log may have gaps, but it must not fill the memory while the database is unavailable.
      recorder()?.requestsNotLogged('database', batch.length);
      log.warn({ err: error, requests: batch.length }, 'could not write the request log');
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    accepts({ merchantId, environment }, kind) {
      const now = Math.floor(performance.now() / SECOND_MS);
      if (now !== second) {
        second = now;
        counts.clear();
      }
      const name = `${kind} ${environment} ${merchantId}`;
      const count = counts.get(name) ?? 0;
      if (count >= PER_SECOND[kind]) {
        recorder()?.requestsNotLogged('rate', 1);
        return false;
      }
      counts.set(name, count + 1);
      return true;
    },
    add(request) {
      if (waiting.length >= WAITING_MAX || bytes >= WAITING_BYTES_MAX) {
        recorder()?.requestsNotLogged('memory', 1);
        return;
      }
      const { body } = request;
      // A view of the first bytes would keep the whole body in memory, so they are copied.
      const kept = body && body.length > BODY_MAX ? new Uint8Array(body.subarray(0, BODY_MAX + 1)) : body;
      waiting.push({ ...request, body: kept });
      bytes += (kept?.length ?? 0) + request.answer.length;
      timer ??= setTimeout(() => void flush(), SECOND_MS).unref();
    },
    flush,
  };
}

/**
 * Returns the row of a request. Secrets are masked before they are stored. In live, phone numbers are masked before they are stored, too.
 * In the sandbox, the phone numbers in path and body are stored, because a replay needs them. They are masked when the log is shown.
 */
export function requestRow(request: AnsweredRequest, random: Random): RequestRow {
  const { scope, at, path, body, status, ms, replay } = request;
  const hide = scope.environment === 'live' ? maskText : maskSecrets;
  const kept = body && bodyText(body);
  const text = kept === null ? null : hide(kept);
  const shownPath = hide(path);
  const bodyWhole = body === null ? request.method !== 'POST' : body.length <= BODY_MAX && text === kept;
  const whole = path.length <= PATH_MAX && shownPath === path && bodyWhole;
  return {
    ...scope,
    id: v7({ msecs: at.getTime(), random: random(16) }),
    failed: status >= 400,
    at,
    keyId: request.keyId,
    requestId: request.requestId,
    method: request.method,
    path: storable(shownPath.slice(0, PATH_MAX)),
    status,
    durationUs: Math.round(ms * 1_000),
    code: request.code,
    refusal: request.refusal,
    address: request.address,
    headers: maskText(JSON.stringify(request.headers)),
    body: body === null || text === null ? null : text === kept ? Buffer.from(body.subarray(0, BODY_MAX)) : Buffer.from(text),
    complete: whole && scope.environment === 'sandbox',
    answerHeaders: JSON.stringify(request.answerHeaders),
    // The message of this error contains an example number, which must not be masked.
    answer: storable((request.code === 'mobile_invalid' ? request.answer : maskText(request.answer)).slice(0, ANSWER_MAX)),
    billId: request.billId,
    replayOf: replay?.of ?? null,
    replayedBy: replay?.by ?? null,
  };
}

/** Returns a body, or its beginning, as text. Invalid UTF-8 becomes replacement characters. */
export function bodyText(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, BODY_MAX)).toString('utf8');
}

/** Replaces NUL characters, which PostgreSQL cannot store in texts. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd');
}

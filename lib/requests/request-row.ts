import { v7 } from 'uuid';
import type { Random } from '@/lib/core/clock';
import { maskSecrets, maskText } from './mask';
import type { RequestRow } from './request-store';
import { ANSWER_MAX, type AnsweredRequest, BODY_MAX, PATH_MAX } from './rules';

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

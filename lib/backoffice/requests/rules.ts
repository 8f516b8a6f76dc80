import type { KeyRefusal } from '@/lib/identity/keys/authenticate-key';
import type { FailureCode } from '@/lib/platform/core/failure';
import type { Scope } from '@/lib/platform/core/scope';

/** `refused`: the key was refused, so anybody who knows the public id of the key may have sent the request. */
export type RequestKind = 'served' | 'failed' | 'refused';

/** The number of requests of each kind that a process records per second for one merchant in one environment. */
export const PER_SECOND: Readonly<Record<RequestKind, number>> = { served: 20, failed: 20, refused: 2 };
/** The maximum number of requests that wait in memory to be written. The next constant limits the bytes of their bodies together. */
export const WAITING_MAX = 2_000;
export const WAITING_BYTES_MAX = 8 * 1024 * 1024;
/** The maximum size of a stored body, bytes. The rest is cut. */
export const BODY_MAX = 16 * 1024;
export const ANSWER_MAX = 8 * 1024;
export const PATH_MAX = 500;
const HEADER_MAX = 300;

/** For each merchant and environment, the log keeps this many successful requests, and this many failed requests. */
export const KEPT = 2_000;
/** It keeps this many refused requests, apart from the failed ones: strangers who know the id of a key can send as many as they want. */
export const KEPT_REFUSED = 200;
export const RETENTION_DAYS = 7;

/** The headers of a request that the log shows. Never add `authorization`. */
const SENT_HEADERS = ['content-type', 'idempotency-key', 'bili-sandbox-scenario', 'user-agent'];
const ANSWER_HEADERS = ['bili-error', 'bili-ignored', 'idempotency-replayed', 'location', 'allow', 'retry-after', 'ratelimit'];

/** An API request with its answer, before it is masked and cut. */
export interface AnsweredRequest {
  readonly scope: Scope;
  readonly at: Date;
  readonly keyId: string;
  readonly requestId: string;
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly code: FailureCode | null;
  readonly refusal: KeyRefusal | null;
  readonly address: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if no body was read. */
  readonly body: Uint8Array | null;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: string;
  readonly billId: string | null;
  readonly replay: Replay | null;
}

export interface Replay {
  /** The id of the replayed request in the log. */
  readonly of: string;
  /** The name of the actor who sent the request again. */
  readonly by: string;
}

export function kindOf({ status, refusal }: Pick<AnsweredRequest, 'status' | 'refusal'>): RequestKind {
  if (refusal !== null) return 'refused';
  return status < 400 ? 'served' : 'failed';
}

/** Returns the headers of a request that are recorded. @param read returns a header by its lower-case name. */
export function sentHeaders(read: (name: string) => string | null): Record<string, string> {
  return chosen(SENT_HEADERS, read);
}

export function answerHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return chosen(ANSWER_HEADERS, (name) => headers[name] ?? null);
}

function chosen(names: readonly string[], read: (name: string) => string | null): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = read(name);
    if (value !== null) found[name] = value.slice(0, HEADER_MAX);
  }
  return found;
}

import type { KeyAuthenticator, RefusedKey } from '@/lib/identity/keys/authenticate-key';
import type { StoredKey } from '@/lib/identity/keys/rules';
import type { FailureCode } from '@/lib/platform/core/failure';
import { isUuid } from '@/lib/platform/core/ids';
import type { Environment, Scope } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { RequestRecorder } from './request-recorder';
import { type AnsweredRequest, answerHeaders, kindOf, sentHeaders } from './rules';

interface Headers {
  get(name: string): string | null;
}

/** The parts of the web process that recording needs. */
interface RecordRuntime extends Pick<Runtime, 'clock' | 'log'> {
  readonly requestRecorder: RequestRecorder;
  readonly keys: KeyAuthenticator;
  readonly environmentOf: (headers: Headers) => Environment | undefined;
  readonly addressOf: (headers: Headers) => string | null;
}

/** The maximum length of the method and path in the description of a key's last use. The rest is cut. */
const ROUTE_MAX = 80;

interface Answered {
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** A URL or a path, with the query. */
    readonly url: string;
    readonly headers: Headers;
    readonly bodyRead: () => Uint8Array | null;
  };
  readonly reply: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly ms: number;
  readonly requestId: string;
  /** What the checks found out about the caller. */
  readonly caller: { readonly scope?: Scope; readonly keyId?: string; readonly refused?: RefusedKey };
  readonly code: FailureCode | null;
  /** The id of the bill that a successful request was about; null if it was about no bill, or failed. */
  readonly billId: string | null;
}

/** The codes of failures that are found before the key is read. */
const BEFORE_KEY: ReadonlySet<FailureCode | null> = new Set<FailureCode>(['not_found', 'method_not_allowed']);

/**
 * Records a request in the log of the merchant to whom the key belongs, even if the key was refused. Requests of unknown callers are not
 * recorded. The caller runs this after the answer is written.
 */
export function recordRequest(runtime: RecordRuntime, answered: Answered): void {
  const { scope, keyId, refused } = answered.caller;
  if (scope && keyId !== undefined) note(runtime, answered, { scope, keyId, refusal: null });
  else if (refused) noteKey(runtime, answered, refused.key, refused.why);
  else if (BEFORE_KEY.has(answered.code)) {
    noteUnread(runtime, answered).catch((error: unknown) => runtime.log.warn({ err: error }, 'could not attribute a request to its key'));
  }
}

/** Records a request whose key was not read, because its path or method is wrong. */
async function noteUnread(runtime: RecordRuntime, answered: Answered): Promise<void> {
  const { headers, method, path } = answered.request;
  const authorization = headers.get('authorization');
  const environment = runtime.environmentOf(headers);
  if (authorization === null || environment === undefined) return;
  const use = {
    authorization,
    environment,
    address: runtime.addressOf(headers),
    route: `${method} ${path}`.slice(0, ROUTE_MAX),
  };
  const found = await runtime.keys.authenticate(use);
  if (found.ok) noteKey(runtime, answered, found.value, null);
}

function noteKey(runtime: RecordRuntime, answered: Answered, key: StoredKey | null, refusal: RefusedKey['why'] | null): void {
  if (key === null) return;
  const { id: keyId, merchantId, environment } = key;
  note(runtime, answered, { scope: { merchantId, environment }, keyId, refusal });
}

function note(
  { requestRecorder, addressOf, clock }: RecordRuntime,
  { request, reply, ms, requestId, code, billId }: Answered,
  caller: Pick<AnsweredRequest, 'scope' | 'keyId' | 'refusal'>,
): void {
  const { status } = reply;
  if (!requestRecorder.accepts(caller.scope, kindOf({ status, refusal: caller.refusal }))) return;
  const { url, path, method, headers } = request;
  const query = url.indexOf('?');
  requestRecorder.add({
    ...caller,
    at: new Date(clock().getTime() - Math.round(ms)),
    requestId,
    method,
    path: query < 0 ? path : path + url.slice(query),
    status,
    ms,
    code,
    address: addressOf(headers),
    headers: sentHeaders((name) => headers.get(name)),
    body: request.bodyRead(),
    answerHeaders: answerHeaders(reply.headers),
    answer: reply.body,
    billId: billId !== null && isUuid(billId) ? billId : null,
    replay: null,
  });
}

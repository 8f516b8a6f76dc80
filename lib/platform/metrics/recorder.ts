/** A queue of the web process that refuses work when too much waits. */
type OverloadedQueue = 'insert' | 'read' | 'sandbox' | 'pages' | 'pictures';

/** The rate limit that refused a request. */
export type RateLimit = 'key' | 'failed_authentication' | 'page' | 'form' | 'receipt_check' | 'link' | 'picture' | 'search';

/**
 * Why a callback was not accepted. `incomplete_address`: its address has no token, or more than a token. `unknown_token`: no account has the token.
 * `other_provider`: the account of the token belongs to another provider than the address says. `unsupported_provider`: this version does not have
 * the provider.
 */
export type CallbackRefusal = 'incomplete_address' | 'unknown_token' | 'other_provider' | 'unsupported_provider';

/** Why a request is missing in the request log: too many requests in one second, too many in memory, or a database that does not answer. */
type UnloggedReason = 'rate' | 'memory' | 'database';

/** The result of one webhook delivery attempt: the class of the HTTP status, or why no answer came. */
export type WebhookResult = '2xx' | '3xx' | '4xx' | '5xx' | 'timeout' | 'connection' | 'other';

/**
 * Counts what happens in this process. Code that does the work calls it without knowing prom-client. A process that serves no metrics
 * has no recorder, so a call costs almost nothing there. Times are in milliseconds.
 */
export interface Recorder {
  /** @param route the path template of the route; null if no route matched. */
  apiAnswered(route: string | null, method: string, status: number, ms: number): void;
  batchRun(queue: 'insert' | 'read', size: number): void;
  overloaded(queue: OverloadedQueue): void;
  rateLimited(limit: RateLimit): void;
  requestsNotLogged(reason: UnloggedReason, count: number): void;
  /** @param provider one of a closed list of names, because every name has a series of its own. */
  callbackRefused(provider: string, reason: CallbackRefusal): void;
  /** An attempt has a new state. @param sentMs the time since the prompt was sent; null unless the attempt was sent and is settled now. */
  attemptMoved(accountId: string | null, state: string, sentMs: number | null): void;
  webhookAttempted(result: WebhookResult, ms: number): void;
  /** @param found the number of claimed items; null if the claim failed. */
  jobClaimed(job: string, found: number | null, ms: number): void;
  jobWorked(job: string, succeeded: boolean, ms: number): void;
}

declare global {
  // The variable is global, because the web process has two copies of this module: in our bundle and in the one that Next.js builds.
  var biliRecorder: Recorder | undefined;
}

/** Returns the recorder of this process; undefined if the process serves no metrics. */
export function recorder(): Recorder | undefined {
  return globalThis.biliRecorder;
}

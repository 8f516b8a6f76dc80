/** The base of all errors of this package. */
export class BiliError extends Error {
  override name = 'BiliError';
}

/** The data of an error response. */
export interface ApiFailure {
  readonly status: number;
  readonly message: string;
  /** The machine-readable code from the header `Bili-Error`; null if the server sent none. */
  readonly code: string | null;
  /** Give this id to the operator when you ask about the request. */
  readonly requestId: string | null;
  /** The waiting time in the header `Retry-After`, in milliseconds; null if the header is missing or invalid. */
  readonly retryAfterMs: number | null;
}

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const RETRYABLE_CODES: ReadonlySet<string> = new Set(['idempotency_key_running', 'body_incomplete']);
/** Error messages of requests that can succeed later, for servers that send no `Bili-Error`. */
const RETRYABLE_MESSAGES: ReadonlySet<string> = new Set([
  'A request with this Idempotency-Key is still running',
  'Request body is incomplete',
]);

/** Thrown if Bili refused the request or could not process it. */
export class BiliApiError extends BiliError {
  override name = 'BiliApiError';
  readonly status: number;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor({ status, message, code, requestId, retryAfterMs }: ApiFailure) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request can succeed later without a change. */
  get retryable(): boolean {
    if (RETRYABLE_STATUSES.has(this.status)) return true;
    return this.code === null ? RETRYABLE_MESSAGES.has(this.message) : RETRYABLE_CODES.has(this.code);
  }
}

/** Thrown if no answer came: the connection was refused, reset or timed out. The request may have reached Bili. */
export class BiliConnectionError extends BiliError {
  override name = 'BiliConnectionError';
}

/** Thrown if `waitUntilPaid` ended and the bill is not fully paid. */
export class BiliNotPaidError<LastBill> extends BiliError {
  override name = 'BiliNotPaidError';
  readonly reason: NotPaidReason;
  /** The bill as it was read last, or null if it could not be read. */
  readonly bill: LastBill | null;

  constructor(reason: NotPaidReason, bill: LastBill | null) {
    super(NOT_PAID_MESSAGES[reason]);
    this.reason = reason;
    this.bill = bill;
  }
}

export type NotPaidReason = 'deadline' | 'closed' | 'attempt_failed' | 'reversed';

const NOT_PAID_MESSAGES: Readonly<Record<NotPaidReason, string>> = {
  deadline: 'The bill was not fully paid before the deadline',
  closed: 'The bill was closed before it was fully paid',
  attempt_failed: 'The payment request failed',
  reversed: 'The bill was paid, and its payment was reversed',
};

export type WebhookErrorReason =
  | 'secret_invalid'
  | 'body_not_raw'
  | 'header_missing'
  | 'timestamp_invalid'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch'
  | 'body_invalid';

/** Thrown if a webhook is not accepted. `reason` says why. */
export class BiliWebhookError extends BiliError {
  override name = 'BiliWebhookError';
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

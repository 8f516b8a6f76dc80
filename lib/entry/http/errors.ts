import type { Settings } from '@/lib/platform/config/settings';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { fail, type Result } from '@/lib/platform/core/result';
import { isDatabaseUnavailable } from '@/lib/platform/db/errors';
import { isOverloaded } from '@/lib/platform/queues/overloaded';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Reply } from './sent-request';

/** The HTTP status and message of each failure (docs/api.md). `{}` is replaced by the failure's detail. */
export const ERRORS: Readonly<
  Record<FailureCode, { readonly status: number; readonly message: string; readonly headers?: Readonly<Record<string, string>> }>
> = {
  amount_required: { status: 400, message: 'amount is required' },
  amount_not_number: { status: 400, message: 'amount must be a number' },
  amount_not_positive: { status: 400, message: 'amount must be greater than 0' },
  amount_too_precise: { status: 400, message: 'amount must have at most 2 decimal places' },
  amount_too_large: { status: 400, message: 'amount must not exceed {}' },
  reference_required: { status: 400, message: 'reference is required' },
  reference_not_string: { status: 400, message: 'reference must be a string' },
  reference_too_long: { status: 400, message: 'reference must be at most 255 characters' },
  reference_control_characters: { status: 400, message: 'reference must not contain control characters' },
  reference_used: { status: 409, message: 'reference has already been used' },
  mobile_not_string: { status: 400, message: 'mobile must be a string' },
  mobile_invalid: { status: 400, message: 'mobile must be a Tanzanian mobile number, for example 0712345678' },
  request_invalid: { status: 400, message: 'Request is not valid HTTP' },
  headers_too_large: { status: 431, message: 'Request headers are too large' },
  parameters_too_many: { status: 414, message: 'Request address has too many parameters' },
  body_incomplete: { status: 400, message: 'Request body is incomplete', headers: { connection: 'close' } },
  body_not_json: { status: 400, message: 'Request body must be valid JSON' },
  body_not_object: { status: 400, message: 'Request body must be a JSON object' },
  body_too_large: { status: 413, message: 'Request body is too large', headers: { connection: 'close' } },
  content_type_unsupported: { status: 415, message: 'Content-Type must be application/json' },
  form_type_unsupported: { status: 415, message: 'Content-Type must be application/x-www-form-urlencoded or multipart/form-data' },
  content_encoding_unsupported: { status: 415, message: 'Content-Encoding is not supported: send the body as it is' },
  idempotency_key_malformed: { status: 400, message: 'Idempotency-Key must be 1 to 255 printable ASCII characters' },
  idempotency_key_required: { status: 400, message: 'Idempotency-Key is required' },
  idempotency_key_reused: { status: 422, message: 'Idempotency-Key was used with a different request' },
  idempotency_key_running: { status: 409, message: 'A request with this Idempotency-Key is still running' },
  after_invalid: { status: 400, message: 'after must be a cursor that an earlier answer gave' },
  limit_invalid: { status: 400, message: 'limit must be a whole number from 1 to 500' },
  status_invalid: { status: 400, message: 'status must be NOT_PAID, PARTIALLY_PAID or FULLY_PAID' },
  from_invalid: { status: 400, message: 'from must be a time in Unix milliseconds' },
  to_invalid: { status: 400, message: 'to must be a time in Unix milliseconds' },
  bills_invalid: { status: 400, message: 'bills must be an array of 1 to 500 bills' },
  bill_not_object: { status: 400, message: 'A bill must be a JSON object' },
  reason_invalid: { status: 400, message: 'reason must be a string of at most 200 characters' },
  reason_required: { status: 400, message: 'reason is required' },
  payment_invalid: { status: 400, message: 'payment must be the id of a payment' },
  payment_not_found: { status: 404, message: 'Payment with id {} not found' },
  refund_payment_unclear: { status: 409, message: 'The bill has several payments. Name one as payment: {}' },
  refund_more_than_left: { status: 409, message: 'amount is more than what is left of the payment' },
  refund_open: { status: 409, message: 'Another refund of this payment is not finished' },
  nothing_to_refund: { status: 409, message: 'Nothing is left that could go back' },
  kind_invalid: { status: 400, message: 'kind must be cash, bank or other' },
  received_at_invalid: { status: 400, message: 'receivedAt must be a day or a time within the last year' },
  slip_invalid: { status: 400, message: 'slip must be a string of at most 40 characters' },
  note_invalid: { status: 400, message: 'note must be a string of at most 200 characters' },
  overpay_invalid: { status: 400, message: 'overpay must be true or false' },
  slip_used: { status: 409, message: 'slip has already been used' },
  more_than_due: { status: 409, message: 'amount is more than the {} that are left. Send overpay if it is right' },
  mobile_required: { status: 400, message: 'mobile is required, because the bill has none' },
  bill_closed: { status: 409, message: 'Bill is closed' },
  bill_paid: { status: 409, message: 'Bill is already paid' },
  payment_request_open: { status: 409, message: 'A payment request for this bill is still open' },
  amount_above_wallet: { status: 409, message: 'The amount is more than a wallet can send at once' },
  network_not_served: { status: 409, message: 'No provider account serves the network {}' },
  mobile_refused: { status: 409, message: 'The owner of this number has blocked payment requests' },
  too_many_prompts: { status: 409, message: 'Too many payment requests were sent to this number' },
  instrument_not_payable: { status: 409, message: 'Nobody can pay the bill now' },
  instrument_not_offered: { status: 409, message: 'No provider account issues payment instruments for this amount' },
  instrument_too_many: { status: 409, message: 'Too many payment instruments were issued for this bill today' },
  credentials_invalid: { status: 401, message: 'Invalid api key or api secret', headers: { 'www-authenticate': 'ApiKey' } },
  key_address_refused: { status: 403, message: 'This api key may not be used from {}' },
  key_scope_missing: { status: 403, message: 'This api key needs the scope {}' },
  advance_invalid: { status: 400, message: 'advanceSeconds must be a whole number from 1 to 34560000' },
  delay_invalid: { status: 400, message: 'delayPercent must be 1, 10, 50 or 100' },
  scenario_unknown: { status: 400, message: 'Bili-Sandbox-Scenario must be one of: {}' },
  key_bill_limit: { status: 403, message: 'amount must not exceed {} with this api key' },
  key_day_limit: { status: 403, message: 'The bills of this api key must not exceed {} a day' },
  id_invalid: { status: 400, message: 'id must be a UUID' },
  id_used: { status: 409, message: 'id was used for something else' },
  confirmed_at_invalid: { status: 400, message: 'confirmedAt must be a time in Unix milliseconds' },
  entry_stale: { status: 409, message: 'The bill was entered too long ago: confirm that the customer is still there' },
  pin_invalid: { status: 400, message: 'pin must be six digits that are not easy to guess' },
  pin_wrong: { status: 401, message: 'Wrong pin: {} more may be entered' },
  invitation_invalid: { status: 401, message: 'The invitation is unknown, used or expired' },
  device_invalid: { status: 401, message: 'The device is unknown, or belongs to another login' },
  device_locked: { status: 403, message: 'The device is locked, because too many wrong pins were entered' },
  session_invalid: { status: 401, message: 'The session has ended, or the header x-secret is missing' },
  not_allowed: { status: 403, message: 'The role of this person does not allow this' },
  cash_too_much: { status: 409, message: 'amount is more than the {} that are left' },
  shift_not_found: { status: 404, message: 'Shift not found' },
  shift_closed: { status: 409, message: 'The shift of the bill is closed' },
  count_invalid: { status: 400, message: 'counted must be the counted cash in whole shillings' },
  profile_not_found: { status: 404, message: 'Merchant profile not found' },
  bill_not_found: { status: 404, message: 'Bill with id {} not found' },
  not_found: { status: 404, message: 'Not found' },
  method_not_allowed: { status: 405, message: 'Method {} is not allowed' },
  version_gone: { status: 410, message: 'API {} is no longer available; use /api/v3' },
  base_address_unknown: { status: 421, message: 'Unknown base address' },
  too_many_requests: { status: 429, message: 'Too many requests' },
  internal: { status: 500, message: 'Internal server error' },
  on_hold: { status: 503, message: 'This copy of Bili is on hold and accepts no changes', headers: { 'retry-after': '60' } },
  unavailable: { status: 503, message: 'Service temporarily unavailable', headers: { 'retry-after': '5' } },
};

/** Creates the JSON error response of a failure. */
export function failureResponse(failure: Failure, requestId: string): Response {
  return toFetch(failureReply(failure, requestId));
}

/** Returns the message of a failure, with its detail. */
export function failureMessage({ code, detail = '' }: Failure): string {
  return ERRORS[code].message.replace('{}', () => detail);
}

/** Creates the answer of a failure, with its code and the page that explains it. `withHelp` makes the address of that page absolute. */
export function failureReply(failure: Failure, requestId: string): Reply {
  const { code } = failure;
  const error = ERRORS[code];
  return jsonReply(JSON.stringify({ error: failureMessage(failure) }), error.status, requestId, {
    'bili-error': code,
    link: `</docs/errors#${code}>; rel="help"`,
    ...error.headers,
    ...failure.headers,
  });
}

/** Adds the address at which this installation explains the failure. */
export function withHelp(failure: Failure, { LIVE_BASE_URL }: Pick<Settings, 'LIVE_BASE_URL'>): Failure {
  const link = `<${LIVE_BASE_URL.origin}/docs/errors#${failure.code}>; rel="help"`;
  return { ...failure, headers: { link, ...failure.headers } };
}

function toFetch({ status, headers, body }: Reply): Response {
  return new Response(body, { status, headers });
}

/** Creates a JSON response with the headers that all API responses have. */
export function jsonResponse(json: string, status: number, requestId: string, headers: Readonly<Record<string, string>> = {}): Response {
  return toFetch(jsonReply(json, status, requestId, headers));
}

export function jsonReply(json: string, status: number, requestId: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-request-id': requestId,
      ...headers,
    },
    body: json,
  };
}

/** Answers every method. */
export type RouteHandler = (request: Request) => Promise<Response>;

/** Runs `work` and turns exceptions into a failure. Logs them with the request id. */
export async function catchErrors<Value>(
  runtime: Pick<Runtime, 'log'>,
  id: string,
  work: () => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure>> {
  try {
    return await work();
  } catch (error) {
    // The log line of the request already has the status. One more line for each refusal would make an overload worse.
    if (isOverloaded(error)) return fail({ code: 'unavailable' });
    const code: FailureCode = isDatabaseUnavailable(error) ? 'unavailable' : 'internal';
    runtime.log.error({ err: error, requestId: id }, code === 'unavailable' ? 'the database is unavailable' : 'request failed');
    return fail({ code });
  }
}

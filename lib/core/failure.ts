/** All expected failures of the API. `lib/http/errors.ts` maps each to its HTTP status and message. */
const FAILURE_CODES = [
  'amount_required',
  'amount_not_number',
  'amount_not_positive',
  'amount_too_precise',
  'amount_too_large',
  'reference_required',
  'reference_not_string',
  'reference_too_long',
  'reference_control_characters',
  'reference_used',
  'mobile_not_string',
  'mobile_invalid',
  'request_invalid',
  'headers_too_large',
  'parameters_too_many',
  'body_incomplete',
  'body_not_json',
  'body_not_object',
  'body_too_large',
  'content_type_unsupported',
  'form_type_unsupported',
  'content_encoding_unsupported',
  'idempotency_key_malformed',
  'idempotency_key_reused',
  'idempotency_key_running',
  'after_invalid',
  'limit_invalid',
  'status_invalid',
  'from_invalid',
  'to_invalid',
  'bills_invalid',
  'bill_not_object',
  'reason_invalid',
  'mobile_required',
  'bill_closed',
  'bill_paid',
  'payment_request_open',
  'amount_above_wallet',
  'network_not_served',
  'mobile_refused',
  'too_many_prompts',
  'credentials_invalid',
  'key_address_refused',
  'key_scope_missing',
  'scenario_unknown',
  'advance_invalid',
  'delay_invalid',
  'key_bill_limit',
  'key_day_limit',
  'profile_not_found',
  'bill_not_found',
  'not_found',
  'method_not_allowed',
  'version_gone',
  'base_address_unknown',
  'too_many_requests',
  'internal',
  'unavailable',
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

const KNOWN: ReadonlySet<string> = new Set(FAILURE_CODES);

export function isFailureCode(text: string): text is FailureCode {
  return KNOWN.has(text);
}

/** A failure with the details for its message and headers. */
export interface Failure<Code extends FailureCode = FailureCode> {
  readonly code: Code;
  /** The variable part of the message: an id, a method, a version, a limit. */
  readonly detail?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

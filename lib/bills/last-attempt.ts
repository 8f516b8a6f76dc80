import type { Senti } from '@/lib/core/money';
import type { AttemptState } from '@/lib/payments/state';
import { isFailureReason } from '@/lib/providers/port/outcome';
import type { StoredExtras } from './bill-extras';
import type { BillInfo } from './bill-info';
import type { Bill } from './rules';

/** The data of a bill that the API returns, with the reversed amount and the newest attempt. */
export interface BillDetails extends Omit<Bill, 'merchantId' | 'environment' | 'reservedAmount'>, BillInfo, StoredExtras {
  /** Senti of this bill that were reversed. */
  readonly reversedAmount: Senti;
  /** This field and the next two are null if the bill has no attempt. */
  readonly attemptState: AttemptState | null;
  readonly attemptReason: string | null;
  /** When the attempt last changed its state. */
  readonly attemptAt: Date | null;
}

export const API_ATTEMPT_STATES = ['PENDING', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const;
/** Merchants' servers depend on these reasons: new ones may be added, but none may be renamed or removed. */
export const API_ATTEMPT_REASONS = [
  'user_cancelled',
  'wrong_pin',
  'insufficient_funds',
  'user_timeout',
  'limit_exceeded',
  'mobile_not_registered',
  'amount_invalid',
  'no_provider',
  'merchant_config',
  'provider_unavailable',
  'not_sent_in_time',
  'rejected',
  'too_many_prompts',
  'number_refused',
] as const;

const STATES: Readonly<Record<AttemptState, (typeof API_ATTEMPT_STATES)[number]>> = {
  QUEUED: 'PENDING',
  SENDING: 'PENDING',
  AWAITING_CUSTOMER: 'PENDING',
  UNKNOWN: 'UNKNOWN',
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  EXPIRED: 'EXPIRED',
  CANCELLED: 'CANCELLED',
};

/** Returns the newest attempt of a bill as JSON (docs/api.md). It never contains the mobile number. */
export function lastAttemptJson({
  attemptState: state,
  attemptReason: reason,
  attemptAt,
}: Pick<BillDetails, 'attemptState' | 'attemptReason' | 'attemptAt'>): string {
  if (state === null || attemptAt === null) return 'null';
  return `{${attemptStateJson(state, reason)},"at":${attemptAt.getTime()}}`;
}

/** Returns the state of an attempt and the reason of its failure as two members of a JSON object. */
export function attemptStateJson(state: AttemptState, reason: string | null): string {
  // The API has every internal reason: the type makes the compiler reject a reason that is missing in API_ATTEMPT_REASONS.
  const shown: (typeof API_ATTEMPT_REASONS)[number] | null =
    state === 'FAILED' && reason !== null && isFailureReason(reason) ? reason : null;
  return `"state":"${STATES[state]}","reason":${JSON.stringify(shown)}`;
}

import type { Senti } from '@/lib/core/money';
import type { AttemptState } from '@/lib/payments/state';
import { type FailureReason, isFailureReason } from '@/lib/providers/port/outcome';
import type { Bill } from './rules';

/** The data of a bill that the API returns, with the reversed amount and the newest attempt. */
export interface BillDetails extends Omit<Bill, 'merchantId' | 'environment' | 'reservedAmount'> {
  /** Senti of this bill that were reversed. */
  readonly reversedAmount: Senti;
  /** This field and the next two are null if the bill has no attempt. */
  readonly attemptState: AttemptState | null;
  readonly attemptReason: string | null;
  /** When the attempt last changed its state. */
  readonly attemptAt: Date | null;
}

export const API_ATTEMPT_STATES = ['PENDING', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const;
type ApiState = (typeof API_ATTEMPT_STATES)[number];

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
  'rejected',
  'too_many_prompts',
  'number_refused',
] as const;
type ApiReason = (typeof API_ATTEMPT_REASONS)[number];

const STATES: Readonly<Record<AttemptState, ApiState>> = {
  QUEUED: 'PENDING',
  SENDING: 'PENDING',
  AWAITING_CUSTOMER: 'PENDING',
  UNKNOWN: 'UNKNOWN',
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  EXPIRED: 'EXPIRED',
  CANCELLED: 'CANCELLED',
};

/** Maps every internal reason to one of the API. The compiler rejects a new reason that is missing here. */
const REASONS: Readonly<Record<FailureReason, ApiReason>> = {
  user_cancelled: 'user_cancelled',
  wrong_pin: 'wrong_pin',
  insufficient_funds: 'insufficient_funds',
  user_timeout: 'user_timeout',
  limit_exceeded: 'limit_exceeded',
  mobile_not_registered: 'mobile_not_registered',
  amount_invalid: 'amount_invalid',
  no_provider: 'no_provider',
  merchant_config: 'merchant_config',
  provider_unavailable: 'provider_unavailable',
  rejected: 'rejected',
  too_many_prompts: 'too_many_prompts',
  number_refused: 'number_refused',
};

/** Returns the newest attempt of a bill as JSON (docs/api.md). It never contains the mobile number. */
export function lastAttemptJson({
  attemptState: state,
  attemptReason: reason,
  attemptAt,
}: Pick<BillDetails, 'attemptState' | 'attemptReason' | 'attemptAt'>): string {
  if (state === null || attemptAt === null) return 'null';
  const shown = state === 'FAILED' && reason !== null && isFailureReason(reason) ? `"${REASONS[reason]}"` : 'null';
  return `{"state":"${STATES[state]}","reason":${shown},"at":${attemptAt.getTime()}}`;
}

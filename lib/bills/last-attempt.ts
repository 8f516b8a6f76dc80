import type { Senti } from '@/lib/core/money';
import type { AttemptState } from '@/lib/payments/state';
import { type FailureReason, isFailureReason } from '@/lib/providers/port/outcome';
import type { Bill } from './rules';

/** What the API says of a bill: no more of the row than that, what went back, and the newest push attempt. */
export interface BillDetails extends Omit<Bill, 'merchantId' | 'environment' | 'reservedAmount'> {
  /** Senti that reversals took off this bill. */
  readonly reversedAmount: Senti;
  /** Null where no phone was ever asked, and so are the other two then. */
  readonly attemptState: AttemptState | null;
  readonly attemptReason: string | null;
  /** When the attempt changed last. */
  readonly attemptAt: Date | null;
}

export const API_ATTEMPT_STATES = ['PENDING', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const;
type ApiState = (typeof API_ATTEMPT_STATES)[number];

/** The words that merchants' servers rely on: words may be added, and stay. */
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

/** A new reason of ours does not compile before it has a word here. */
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

/** Pure. @returns the newest push attempt of a bill as the API describes it (docs/api.md), as JSON. Never the number. */
export function lastAttemptJson({
  attemptState: state,
  attemptReason: reason,
  attemptAt,
}: Pick<BillDetails, 'attemptState' | 'attemptReason' | 'attemptAt'>): string {
  if (state === null || attemptAt === null) return 'null';
  const shown = state === 'FAILED' && reason !== null && isFailureReason(reason) ? `"${REASONS[reason]}"` : 'null';
  return `{"state":"${STATES[state]}","reason":${shown},"at":${attemptAt.getTime()}}`;
}

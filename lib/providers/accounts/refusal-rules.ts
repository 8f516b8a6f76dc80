import { type FailureReason, isFailureReason } from '@/lib/providers/port/outcome';

/**
 * Who or what is the cause of a refusal. `owner`: the account or its credentials. `request`: the number or the amount. `bili`: a limit or a
 * rule of Bili, so the provider was not asked.
 */
export const REFUSAL_CLASSES = ['customer', 'request', 'owner', 'provider', 'bili'] as const;
type RefusalClass = (typeof REFUSAL_CLASSES)[number];

const CLASS_OF: Readonly<Record<FailureReason, RefusalClass>> = {
  user_cancelled: 'customer',
  wrong_pin: 'customer',
  insufficient_funds: 'customer',
  user_timeout: 'customer',
  limit_exceeded: 'customer',
  mobile_not_registered: 'request',
  amount_invalid: 'request',
  merchant_config: 'owner',
  provider_unavailable: 'provider',
  rejected: 'provider',
  no_provider: 'bili',
  not_sent_in_time: 'bili',
  too_many_prompts: 'bili',
  number_refused: 'bili',
};

/** Returns the class of a failure reason. A reason that this version does not know has the class `provider`. Pure. */
export function refusalClass(reason: string): RefusalClass {
  return isFailureReason(reason) ? CLASS_OF[reason] : 'provider';
}

/**
 * Tells whether a failure proves that Bili recognises refusals by this provider. Three kinds of failures prove it: the provider refused the
 * customer, it refused the number or the amount, or it gave no reason that Bili knows. Pure.
 */
export function refusesCustomer(reason: FailureReason): boolean {
  return CLASS_OF[reason] === 'customer' || CLASS_OF[reason] === 'request' || reason === 'rejected';
}

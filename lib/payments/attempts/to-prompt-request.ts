import { isNetwork } from '@/lib/core/network';
import type { Attempt } from '@/lib/payments/rules';
import type { Push } from '@/lib/providers/port/port';

/** @returns an attempt as its provider knows it. */
export function toPromptRequest(attempt: Attempt): Push {
  return {
    reference: attempt.ourReference,
    providerReference: attempt.providerReference,
    mobile: attempt.mobile,
    network: isNetwork(attempt.network) ? attempt.network : 'other',
    amount: attempt.amount,
    description: `Bill ${attempt.ourReference}`,
  };
}

import { isNetwork } from '@/lib/core/network';
import type { Attempt } from '@/lib/payments/rules';
import type { PromptRequest } from '@/lib/providers/port/port';

/** Converts an attempt to the request that its provider understands. */
export function toPromptRequest(attempt: Attempt): PromptRequest {
  return {
    reference: attempt.ourReference,
    providerReference: attempt.providerReference,
    mobile: attempt.mobile,
    network: isNetwork(attempt.network) ? attempt.network : 'other',
    amount: attempt.amount,
    description: `Bill ${attempt.ourReference}`,
    neverReached: attempt.answerLostAt === null && attempt.acknowledgedAt === null,
  };
}

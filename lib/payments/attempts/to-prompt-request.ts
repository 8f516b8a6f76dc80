import { isNetwork } from '@/lib/core/network';
import type { Attempt } from '@/lib/payments/rules';
import type { PromptRequest } from '@/lib/providers/port/port';

/** Converts an attempt to the request that its provider understands. */
export function toPromptRequest(attempt: Attempt): PromptRequest {
  const { answerLostAt, acknowledgedAt, claimedPaidAt } = attempt;
  return {
    reference: attempt.ourReference,
    providerReference: attempt.providerReference,
    mobile: attempt.mobile,
    network: isNetwork(attempt.network) ? attempt.network : 'other',
    amount: attempt.amount,
    merchantId: attempt.merchantId,
    billId: attempt.billId,
    description: `Bill ${attempt.ourReference}`,
    // A claim of an unsigned callback is no proof, but a sign that the provider has the request.
    neverReached: answerLostAt === null && acknowledgedAt === null && claimedPaidAt === null,
  };
}

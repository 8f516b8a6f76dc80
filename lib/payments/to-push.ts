import { isNetwork } from '@/lib/core/network';
import type { Push } from '@/lib/providers/port';
import type { Attempt } from './rules';

/** @returns an attempt as its provider knows it. */
export function toPush(attempt: Attempt): Push {
  return {
    reference: attempt.ourReference,
    providerReference: attempt.providerReference,
    mobile: attempt.mobile,
    network: isNetwork(attempt.network) ? attempt.network : 'other',
    amount: attempt.amount,
    description: `Bill ${attempt.ourReference}`,
  };
}

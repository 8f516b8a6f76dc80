import type { Attempt } from '@/lib/payments/rules';

/** @returns what every log line about an attempt names, so that one payment can be followed through all of them. */
export function traceAttempt({ id, billId, ourReference, merchantId, environment }: Attempt) {
  return { attemptId: id, billId, ourReference, merchantId, environment };
}

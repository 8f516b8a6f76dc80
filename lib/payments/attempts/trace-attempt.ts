import type { Attempt } from '@/lib/payments/rules';

/** Returns the log fields that identify an attempt. Every log line about an attempt has them. */
export function traceAttempt({ id, billId, ourReference, merchantId, environment }: Attempt) {
  return { attemptId: id, billId, ourReference, merchantId, environment };
}

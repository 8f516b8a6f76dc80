import type { Attempt, Pace } from '@/lib/gateway/payments/rules';

export const PACE: Pace = {
  firstQueryMs: 10_000,
  unknownQueryMs: 3_000,
  maxQueryMs: 3_600_000,
  retryMs: 2_000,
  giveUpMs: 120_000,
  promptMs: 120_000,
  refusesDuplicates: true,
  indexingMs: 5_000,
};

/** Creates an attempt whose request was sent once, and about which nothing else is known. It is not stored. */
export function attemptWith({ createdAt, ...changes }: Partial<Attempt> & Pick<Attempt, 'state' | 'createdAt'>): Attempt {
  return {
    id: 'attempt',
    merchantId: 'merchant',
    environment: 'sandbox',
    billId: 'bill',
    providerAccountId: 'account',
    mobile: '0712345678',
    network: 'yas',
    amount: 500_000n,
    ourReference: 'R'.repeat(20),
    providerReference: null,
    failureReason: null,
    sendCount: 1,
    queryCount: 0,
    leaseToken: 1,
    createdAt,
    sentAt: createdAt,
    unknownSince: null,
    releasedAt: null,
    settledAt: null,
    acknowledgedAt: null,
    answerLostAt: null,
    claimedPaidAt: null,
    refusedAccountIds: [],
    ...changes,
  };
}

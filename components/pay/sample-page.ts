// Only tests import this file.
import type { OpenPrompt } from '@/lib/gateway/payment-page/pay-state';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';

/** The time of the pages that tests render. */
export const NOW = new Date('2026-11-21T11:30:00Z');

/** A bill whose texts are HTML, so that a page which does not escape them fails. */
export const bill: PayPage['bill'] = {
  id: 'bill',
  merchantId: 'merchant',
  merchantLanguage: null,
  expiresAt: null,
  returnUrl: null,
  merchantName: '"><script>alert(1)</script>',
  environment: 'live',
  amount: 500_000n,
  reference: "<img src=x onerror='x'>",
  mobile: null,
  customerName: '<b>Asha</b>',
  description: '<i>Ada</i>',
  dueAt: NOW,
  paidAmount: 0n,
  reservedAmount: 0n,
  status: 'NOT_PAID',
  createdAt: NOW,
  paidAt: null,
  closedAt: null,
  merchantActive: true,
  reversedAmount: 0n,
  partialPayments: false,
  brandColour: null,
  supportNumber: null,
  logoHash: null,
  logoWidth: null,
  logoHeight: null,
};

export const attempt: OpenPrompt['attempt'] = {
  id: 'attempt',
  merchantId: 'merchant',
  environment: 'live',
  billId: 'bill',
  providerAccountId: 'account',
  mobile: '0712345678',
  network: 'yas',
  amount: 500_000n,
  ourReference: 'ABCDEFGHJKLMNPQRSTUV',
  providerReference: null,
  state: 'FAILED',
  failureReason: null,
  sendCount: 1,
  queryCount: 0,
  leaseToken: 1,
  createdAt: NOW,
  sentAt: NOW,
  unknownSince: null,
  releasedAt: null,
  settledAt: null,
  acknowledgedAt: null,
  answerLostAt: null,
  claimedPaidAt: null,
  refusedAccountIds: [],
};

/** A prompt that another device requested. */
export const prompt: OpenPrompt = {
  kind: 'prompted',
  attempt,
  own: false,
  excessive: false,
  promptName: null,
  times: { sentAt: NOW, helpAt: NOW, until: new Date('2026-11-21T11:32:00Z') },
  helpDue: true,
};

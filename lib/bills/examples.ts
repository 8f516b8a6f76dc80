import type { z } from 'zod';
import type { billSchema, createdBillSchema } from './answer-schema';

/** The bill in the examples of the API description. */
export const BILL_ID_EXAMPLE = '01a1fb0f-e60c-7000-8000-5a1e6b6c2d01';

export const BILL_DATE_EXAMPLE = 1_795_213_485_580;

export const CREATED_BILL_EXAMPLE = {
  id: BILL_ID_EXAMPLE,
  mobile: '0712345001',
  amount: 5000,
  status: 'NOT_PAID',
  reference: 'ORDER-1',
  webPayUrl: `https://sandbox.pay.example.com/pay?bill=${BILL_ID_EXAMPLE}`,
  date: BILL_DATE_EXAMPLE,
} satisfies z.output<typeof createdBillSchema>;

/** A bill whose payment request failed. */
export const OPEN_BILL_EXAMPLE: z.output<typeof billSchema> = {
  ...CREATED_BILL_EXAMPLE,
  paidAmount: 0,
  remainingAmount: 5000,
  paidAt: null,
  closedAt: null,
  reversedAmount: 0,
  lastAttempt: { state: 'FAILED', reason: 'wrong_pin', at: BILL_DATE_EXAMPLE + 9_000 },
  description: 'School fees, term 1',
  customer: { name: 'Asha Juma', email: null },
  dueAt: 1_796_072_399_999,
  metadata: { order_id: '17' },
  expiresAt: null,
  returnUrl: null,
  language: 'sw',
};

export const CLOSED_BILL_EXAMPLE: z.output<typeof billSchema> = { ...OPEN_BILL_EXAMPLE, closedAt: BILL_DATE_EXAMPLE + 3_600_000 };

export const PAID_BILL_EXAMPLE: z.output<typeof billSchema> = {
  ...OPEN_BILL_EXAMPLE,
  status: 'FULLY_PAID',
  paidAmount: 5000,
  remainingAmount: 0,
  paidAt: BILL_DATE_EXAMPLE + 1_500,
  lastAttempt: { state: 'SUCCEEDED', reason: null, at: BILL_DATE_EXAMPLE + 1_500 },
};

import { z } from 'zod';
import { attemptReason, attemptState, moneySchema, openEnum, timeSchema } from '@/lib/bills/answer-schema';
import { BILL_DATE_EXAMPLE } from '@/lib/bills/examples';
import { NETWORKS } from '@/lib/core/network';

const paymentSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'The id of the entry.' }),
    kind: openEnum(['payment', 'reversal', 'correction']).meta({ description: '`correction`: a person corrected the ledger.' }),
    receipt: z.string().meta({ description: "The provider's number, as the customer's SMS shows it." }),
    amount: moneySchema('Negative if it takes money off the bill.'),
    date: timeSchema('When it was booked on the bill.'),
  })
  .meta({ title: 'Payment', description: 'An entry of the ledger that changes the paid amount of a bill.' });

/** The ledger entries of a bill, as `paymentsJson` writes them. */
export const paymentsSchema = z.strictObject({ payments: z.array(paymentSchema) });

/** A payment request, as `attemptJson` writes it. */
export const attemptSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'The id of the payment request.' }),
    state: attemptState,
    reason: attemptReason,
    network: openEnum(NETWORKS).meta({ description: 'The mobile network that was asked.' }),
    amount: moneySchema('The requested amount.'),
    source: openEnum(['api', 'dashboard', 'payment_page']).meta({ description: 'Who requested the payment.' }),
    mobile: z.string().nullable().meta({ description: 'Null if the customer entered the number on the payment page.' }),
    date: timeSchema('When the payment was requested.'),
    at: timeSchema('When the state last changed.'),
  })
  .meta({ title: 'Attempt', description: 'A payment request to a phone.' });

/** The payment requests of a bill, as `readBillAttempts` returns them. */
export const attemptsSchema = z.strictObject({ attempts: z.array(attemptSchema) });

export const PAYMENTS_EXAMPLE = {
  payments: [
    {
      id: '01a1fb0f-ebe8-7000-8000-2f6a1c8d4e57',
      kind: 'payment',
      receipt: '8K3J2H1G',
      amount: 5000,
      date: BILL_DATE_EXAMPLE + 1_500,
    },
  ],
} satisfies z.output<typeof paymentsSchema>;

export const ATTEMPT_EXAMPLE = {
  id: '01a1fb0f-e60d-7000-8000-9b0e2f6a1c8d',
  state: 'PENDING',
  reason: null,
  network: 'vodacom',
  amount: 5000,
  source: 'api',
  mobile: '0754345001',
  date: BILL_DATE_EXAMPLE,
  at: BILL_DATE_EXAMPLE,
} satisfies z.output<typeof attemptSchema>;

export const ATTEMPTS_EXAMPLE = {
  attempts: [{ ...ATTEMPT_EXAMPLE, state: 'FAILED', reason: 'wrong_pin', mobile: '0754345003', at: BILL_DATE_EXAMPLE + 9_000 }],
} satisfies z.output<typeof attemptsSchema>;

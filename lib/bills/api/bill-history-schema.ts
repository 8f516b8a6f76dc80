import { z } from 'zod';
import { API_ATTEMPT_REASONS, API_ATTEMPT_STATES } from '@/lib/bills/last-attempt';

const time = z.int().meta({ description: 'Unix milliseconds.' });
const money = z.number().meta({ description: 'Shillings, always with a decimal point.' });

/** The ledger entries of a bill, as `paymentsJson` writes them. */
export const paymentsSchema = z.strictObject({
  payments: z.array(
    z.strictObject({
      id: z.uuid(),
      kind: z.enum(['payment', 'reversal', 'correction']),
      receipt: z.string().meta({ description: "The provider's number, as the customer's SMS shows it." }),
      amount: money.meta({ description: 'Shillings. Negative if it takes money off the bill.' }),
      date: time,
    }),
  ),
});

/** A payment request, as `attemptJson` writes it. */
export const attemptSchema = z.strictObject({
  id: z.uuid(),
  state: z.enum(API_ATTEMPT_STATES),
  reason: z.enum(API_ATTEMPT_REASONS).nullable(),
  network: z.string(),
  amount: money,
  source: z.enum(['api', 'dashboard', 'payment_page']),
  mobile: z.string().nullable().meta({ description: 'Null if the customer entered the number on the payment page.' }),
  date: time,
  at: time.meta({ description: 'Time of the last change, Unix milliseconds.' }),
});

/** The payment requests of a bill, as `readBillAttempts` returns them. */
export const attemptsSchema = z.strictObject({ attempts: z.array(attemptSchema) });

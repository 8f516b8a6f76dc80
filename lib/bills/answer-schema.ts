import { z } from 'zod';
import { LOCALES } from '@/lib/i18n/locale';
import { API_ATTEMPT_REASONS, API_ATTEMPT_STATES } from './last-attempt';
import { BILL_STATUSES } from './rules';

/** Returns the schema of an instant in an answer of the API. */
export function timeSchema(description: string) {
  return z.int().meta({ format: 'int64', description: `${description} Unix milliseconds.` });
}

/** Returns the schema of an amount in an answer of the API. */
export function moneySchema(description: string) {
  return z.number().meta({ format: 'double', description: `${description} Shillings, always with a decimal point.` });
}

const noTime = (description: string) => timeSchema(description).nullable();

const statusSchema = z
  .enum(BILL_STATUSES)
  .meta({ title: 'BillStatus', description: 'Follows from the confirmed payments. Only a reversal or a correction moves it back.' });

/** The JSON members that every bill has, in answers and in webhooks. */
export const billMembers = {
  id: z.uuid().meta({ description: 'The id of the bill.' }),
  mobile: z.string().nullable().meta({
    description: 'The number of the request. Without one: null until somebody pays on the payment page, then the number that paid first.',
  }),
  amount: moneySchema('The amount of the bill.'),
  status: statusSchema,
  reference: z.string().meta({ description: 'The reference of the request, unchanged.' }),
};

/** The answer to creating a bill. `bill-json.ts` writes it. */
export const createdBillSchema = z
  .strictObject({
    ...billMembers,
    webPayUrl: z.url().meta({ description: "The bill's payment page." }),
    date: timeSchema('When the bill was created.'),
  })
  .meta({ title: 'CreatedBill', description: 'A new bill. It always has exactly these seven members.' });

/** Returns the schema of a value that is one of these now. Later versions may add values, so the API description allows any text. */
export function openEnum<const Value extends string>(values: readonly Value[]) {
  return z.enum(values).meta({ 'x-open': true });
}

export const attemptState = z
  .enum(API_ATTEMPT_STATES)
  .meta({ title: 'AttemptState', description: '`UNKNOWN`: the outcome is not known yet. Do not ask the customer to pay again.' });

export const attemptReason = openEnum(API_ATTEMPT_REASONS)
  .meta({ title: 'AttemptReason', description: 'Why it failed. More reasons may be added: treat an unknown one like `rejected`.' })
  .nullable();

const lastAttemptSchema = z
  .strictObject({ state: attemptState, reason: attemptReason, at: timeSchema('When the state last changed.') })
  .meta({ title: 'LastAttempt', description: 'The newest payment request to a phone. It never contains the number.' });

/** The answer to reading a bill. Later versions may add JSON members. */
export const billSchema = createdBillSchema
  .extend({
    paidAmount: moneySchema('The sum of the payments, less reversals.'),
    remainingAmount: moneySchema('What is left to pay, never negative.'),
    paidAt: noTime('When the bill was fully paid for the first time. Does not change after a reversal.'),
    closedAt: noTime('When the bill was closed. Nobody can pay a closed bill.'),
    reversedAmount: moneySchema('The sum of the reversals.'),
    lastAttempt: lastAttemptSchema.nullable(),
    description: z.string().nullable().meta({ description: 'What the customer pays for.' }),
    customer: z
      .strictObject({
        name: z.string().nullable().meta({ description: "The customer's name." }),
        email: z.string().nullable().meta({ description: "The customer's e-mail address. Bili sends nothing to it." }),
      })
      .meta({ title: 'Customer', description: 'Who pays the bill.' })
      .nullable(),
    dueAt: noTime('The last millisecond of the day on which the bill is due (East Africa Time).'),
    metadata: z.record(z.string(), z.string()).nullable().meta({ description: 'Your own texts by name.' }),
    expiresAt: noTime('From this time on, nobody is asked to pay the bill.'),
    returnUrl: z.string().nullable().meta({ description: 'The page of your shop to which the payment page links.' }),
    language: z.enum(LOCALES).nullable().meta({ description: 'The language of the payment page.' }),
  })
  .meta({ title: 'Bill', description: 'A bill with its present state.' });

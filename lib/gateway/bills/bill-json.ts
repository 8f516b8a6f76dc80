import { z } from 'zod';
import type { AttemptState } from '@/lib/gateway/payments/rules';
import { formatApiAmount, type Senti } from '@/lib/platform/core/money';
import { isFailureReason } from '@/lib/providers/port/outcome';
import { moneySchema, openEnum, timeSchema } from './answer-schema';
import { INFO_EXAMPLE, infoAnswer, infoJson, type StoredInfo } from './bill-info';
import { BILL_STATUSES, type Bill, remainingAmount } from './rules';

// A bill in answers of the API and in webhooks: the schema, which describes it, the function that writes it, and an example. The JSON is not
// written by JSON.stringify, which would write `5000` where the contract promises `5000.0`.

/** The JSON members that every bill has, in answers and in webhooks. */
export const billMembers = {
  id: z.uuid().meta({ description: 'The id of the bill.' }),
  mobile: z.string().nullable().meta({
    description: 'The number of the request. Without one: null until somebody pays on the payment page, then the number that paid first.',
  }),
  amount: moneySchema('The amount of the bill.'),
  status: z
    .enum(BILL_STATUSES)
    .meta({ title: 'BillStatus', description: 'Follows from the confirmed payments. Only a reversal or a correction moves it back.' }),
  reference: z.string().meta({ description: 'The reference of the request, unchanged.' }),
};

/** Returns these members as JSON text, without the braces. */
function membersJson({ id, mobile, amount, status, reference }: Pick<Bill, keyof typeof billMembers>): string {
  return (
    `"id":"${id}","mobile":${mobile === null ? 'null' : `"${mobile}"`},"amount":${formatApiAmount(amount)}` +
    `,"status":"${status}","reference":${JSON.stringify(reference)}`
  );
}

/** Returns the body of a webhook (docs/webhooks.md). */
export function webhookJson(bill: Pick<Bill, keyof typeof billMembers>): string {
  return `{"bill":{${membersJson(bill)}}}`;
}

/** Returns the address of the bill's payment page. `base` is the base address of the bill's environment. */
export function webPayUrl(base: URL, billId: string): string {
  return `${base.origin}/pay?bill=${billId}`;
}

/** The answer to creating a bill. */
export const createdBillSchema = z
  .strictObject({
    ...billMembers,
    webPayUrl: z.url().meta({ description: "The bill's payment page." }),
    date: timeSchema('When the bill was created.'),
  })
  .meta({ title: 'CreatedBill', description: 'A new bill. It always has exactly these seven members.' });

function createdMembersJson(bill: BillDetails | Bill, base: URL): string {
  return `${membersJson(bill)},"webPayUrl":"${webPayUrl(base, bill.id)}","date":${bill.createdAt.getTime()}`;
}

/** Returns the answer to creating a bill. */
export function createdBillJson(bill: Bill, base: URL): string {
  return `{${createdMembersJson(bill, base)}}`;
}

const API_ATTEMPT_STATES = ['PENDING', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const;
/** Merchants' servers depend on these reasons: new ones may be added, but none may be renamed or removed. */
const API_ATTEMPT_REASONS = [
  'user_cancelled',
  'wrong_pin',
  'insufficient_funds',
  'user_timeout',
  'limit_exceeded',
  'mobile_not_registered',
  'amount_invalid',
  'no_provider',
  'merchant_config',
  'provider_unavailable',
  'not_sent_in_time',
  'rejected',
  'too_many_prompts',
  'number_refused',
] as const;

const STATES: Readonly<Record<AttemptState, (typeof API_ATTEMPT_STATES)[number]>> = {
  QUEUED: 'PENDING',
  SENDING: 'PENDING',
  AWAITING_CUSTOMER: 'PENDING',
  UNKNOWN: 'UNKNOWN',
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  EXPIRED: 'EXPIRED',
  CANCELLED: 'CANCELLED',
};

export const attemptState = z
  .enum(API_ATTEMPT_STATES)
  .meta({ title: 'AttemptState', description: '`UNKNOWN`: the outcome is not known yet. Do not ask the customer to pay again.' });

export const attemptReason = openEnum(API_ATTEMPT_REASONS)
  .meta({ title: 'AttemptReason', description: 'Why it failed. More reasons may be added: treat an unknown one like `rejected`.' })
  .nullable();

/** Returns the state of an attempt and the reason of its failure as two members of a JSON object. */
export function attemptStateJson(state: AttemptState, reason: string | null): string {
  // The API has every internal reason: the type makes the compiler reject a reason that is missing in API_ATTEMPT_REASONS.
  const shown: (typeof API_ATTEMPT_REASONS)[number] | null =
    state === 'FAILED' && reason !== null && isFailureReason(reason) ? reason : null;
  return `"state":"${STATES[state]}","reason":${JSON.stringify(shown)}`;
}

const lastAttemptSchema = z
  .strictObject({ state: attemptState, reason: attemptReason, at: timeSchema('When the state last changed.') })
  .meta({ title: 'LastAttempt', description: 'The newest payment request to a phone. It never contains the number.' });

/** Returns the newest attempt of a bill as JSON (docs/api.md). It never contains the mobile number. */
function lastAttemptJson({
  attemptState: state,
  attemptReason: reason,
  attemptAt,
}: Pick<BillDetails, 'attemptState' | 'attemptReason' | 'attemptAt'>): string {
  if (state === null || attemptAt === null) return 'null';
  return `{${attemptStateJson(state, reason)},"at":${attemptAt.getTime()}}`;
}

/** The data of a bill that the API returns, with the reversed amount and the newest attempt. */
export interface BillDetails extends Omit<Bill, 'merchantId' | 'environment' | 'reservedAmount'>, StoredInfo {
  /** Senti of this bill that were reversed. */
  readonly reversedAmount: Senti;
  /** This field and the next two are null if the bill has no attempt. */
  readonly attemptState: AttemptState | null;
  readonly attemptReason: string | null;
  /** When the attempt last changed its state. */
  readonly attemptAt: Date | null;
}

/** The answer to reading a bill. Later versions may add JSON members. */
export const billSchema = createdBillSchema
  .extend({
    paidAmount: moneySchema('The sum of the payments, less reversals.'),
    remainingAmount: moneySchema('What is left to pay, never negative.'),
    paidAt: timeSchema('When the bill was fully paid for the first time. Does not change after a reversal.').nullable(),
    closedAt: timeSchema('When the bill was closed. Nobody can pay a closed bill.').nullable(),
    reversedAmount: moneySchema('The sum of the reversals.'),
    lastAttempt: lastAttemptSchema.nullable(),
    ...infoAnswer,
  })
  .meta({ title: 'Bill', description: 'A bill with its present state.' });

/** Returns the answer to reading a bill: the seven JSON members of a Bill, the amounts, the last attempt, and the optional values. */
export function billJson(bill: BillDetails, base: URL): string {
  return (
    `{${createdMembersJson(bill, base)},"paidAmount":${formatApiAmount(bill.paidAmount)},"remainingAmount":${formatApiAmount(remainingAmount(bill))}` +
    `,"paidAt":${bill.paidAt?.getTime() ?? null},"closedAt":${bill.closedAt?.getTime() ?? null}` +
    `,"reversedAmount":${formatApiAmount(bill.reversedAmount)},"lastAttempt":${lastAttemptJson(bill)},${infoJson(bill)}}`
  );
}

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
  ...INFO_EXAMPLE,
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

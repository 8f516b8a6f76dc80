import { z } from 'zod';
import { type CounterState, counterState } from '@/lib/backoffice/counter/counter-rules';
import type { CounterView } from '@/lib/backoffice/counter/show-counter';
import type { ShiftSummary } from '@/lib/backoffice/counter/show-shift';
import type { CashRefusal } from '@/lib/backoffice/counter/take-cash';
import { moneySchema, openEnum, timeSchema } from '@/lib/gateway/bills/answer-schema';
import { BILL_DATE_EXAMPLE, CREATED_BILL_EXAMPLE, createdBillSchema, webPayUrl } from '@/lib/gateway/bills/bill-json';
import { payableAmount, remainingAmount } from '@/lib/gateway/bills/rules';
import { amountSchema, mobileSchema, referenceSchema } from '@/lib/gateway/bills/schema';
import type { FailureCode } from '@/lib/platform/core/failure';
import { JsonNumber } from '@/lib/platform/core/json-number';
import { formatApiAmount } from '@/lib/platform/core/money';

// The bills and shifts of the counter in the answers of `/api/v2`: what the requests contain, the schemas, and the functions that write them.

type Entry = CounterView['entries'][number];

/** Returns the options of a check that fails with this code. */
const failing = (error: FailureCode) => ({ error });

const idSchema = (description: string) => z.uuid(failing('id_invalid')).meta({ description });
const REPEATED = 'A UUID that your application makes and stores before it sends the request. A repetition with it changes nothing.';

/** The body of a request that creates a bill. */
export const enteredBody = (maxShillings: number) =>
  z.object({
    id: idSchema(`${REPEATED} It answers with the bill in its present state.`),
    amount: amountSchema(maxShillings),
    reference: referenceSchema.nullish().meta({ description: 'Your own text. Without it, the bill gets the next number of the shift.' }),
    mobile: mobileSchema.meta({ description: 'The number that gets a payment request. Without it, the customer opens `webPayUrl`.' }),
    confirmedAt: z
      .instanceof(JsonNumber, failing('confirmed_at_invalid'))
      .transform(({ text }) => Number(text))
      .meta({ type: 'number' })
      .nullish()
      .meta({
        description:
          'When the cashier entered the bill, or confirmed that the customer is still there, in Unix milliseconds by the clock of the server: the header `Date` of an answer has it. Needed with `mobile`: a payment request is sent within 2 minutes.',
      }),
  });

/** The failure codes of reading an amount. */
export const AMOUNT_FAILURES = [
  'amount_required',
  'amount_not_number',
  'amount_not_positive',
  'amount_too_precise',
  'amount_too_large',
] as const satisfies readonly FailureCode[];

/** The failure codes of reading a new bill of the counter. */
export const ENTERED_FAILURES = [
  'id_invalid',
  ...AMOUNT_FAILURES,
  'reference_required',
  'reference_not_string',
  'reference_too_long',
  'reference_control_characters',
  'mobile_not_string',
  'mobile_invalid',
  'confirmed_at_invalid',
] as const satisfies readonly FailureCode[];

/** The body of a request that asks a phone again. */
export const askedBody = z.object({
  id: idSchema(REPEATED),
  mobile: mobileSchema.meta({ description: 'The number to ask. Without it, the number of the bill.' }),
});

/** The body of a request that records cash. */
export const cashBody = (maxShillings: number) =>
  z.object({
    id: idSchema(REPEATED),
    amount: amountSchema(maxShillings).meta({ description: 'What the cashier received: at most `cashDue`.' }),
  });

/** The body of a request that closes a shift. */
export const closedBody = z.object({
  id: idSchema('The id of the shift.'),
  counted: z
    .instanceof(JsonNumber, failing('count_invalid'))
    .refine(({ text }) => Number(text) >= 0 && Number.isSafeInteger(Number(text)), failing('count_invalid'))
    .transform(({ text }) => String(Number(text)))
    .meta({ type: 'integer', minimum: 0 })
    .nullish()
    .meta({
      description: 'The cash that the cashier counted, in whole shillings. Needed if the shift took cash.',
    }),
});

const COUNTER_STATES: readonly CounterState[] = ['open', 'waiting', 'unknown', 'declined', 'part', 'paid', 'overpaid', 'closed'] as const;

/** A bill of the counter, as `entryJson` writes it. */
export const counterBillSchema = createdBillSchema
  .extend({
    entry: z.uuid().meta({ description: 'The `id` with which your application created the bill.' }),
    paidAmount: moneySchema('The sum of the payments, less reversals.'),
    remainingAmount: moneySchema('What is left to pay, never negative.'),
    cashAmount: moneySchema('What was paid in cash.'),
    cashDue: moneySchema('What a customer who pays in cash must pay: what is left, in whole shillings.'),
    paidAt: timeSchema('When the bill was fully paid for the first time.').nullable(),
    state: openEnum(COUNTER_STATES).meta({
      description:
        'What the cashier must know. `open`: no payment request was sent. `waiting`: the customer can approve one. `unknown`: the outcome is not known yet, do not ask again. `declined`: see `reason`. `part`, `paid`, `overpaid`, `closed`.',
    }),
    reason: z.string().nullable().meta({
      description:
        'Why the last payment request was declined: a reason of attempts, `expired`, `cancelled` or `merchant_inactive`. Null unless `declined`.',
    }),
  })
  .meta({ title: 'CounterBill', description: 'A bill that a cashier created.' });

export const counterBillsSchema = z.strictObject({ bills: z.array(counterBillSchema) });

/** Returns a bill of the counter as JSON text. `base` is the base address of the environment. */
export function entryJson(entry: Entry, base: URL): string {
  const { billId: id, entryId, mobile, amount, status, reference, paidAmount, cashAmount, createdAt, paidAt } = entry;
  const { state, reason } = counterState(entry);
  const texts = { id, mobile, status, reference, webPayUrl: webPayUrl(base, id), entry: entryId, state, reason };
  const money = {
    amount,
    paidAmount,
    remainingAmount: remainingAmount(entry),
    cashAmount,
    cashDue: payableAmount({ ...entry, reservedAmount: 0n }),
  };
  const times = { date: createdAt.getTime(), paidAt: paidAt?.getTime() ?? null };
  return `{${inner(texts)},${moneyMembers(money)},${inner(times)}}`;
}

export const COUNTER_BILL_EXAMPLE = {
  ...CREATED_BILL_EXAMPLE,
  reference: 'KX7Q-1',
  entry: '0b9de43c-5f3c-4a8e-9d40-1f6a2c7b8e55',
  paidAmount: 0,
  remainingAmount: 5000,
  cashAmount: 0,
  cashDue: 5000,
  paidAt: null,
  state: 'waiting',
  reason: null,
} satisfies z.output<typeof counterBillSchema>;

const shiftMembers = {
  id: z.uuid().meta({ description: 'The id of the shift.' }),
  code: z.string().meta({ description: 'The code with which the references of its bills begin.' }),
  openedAt: timeSchema('When its first bill was created.'),
  bills: z.int().meta({ description: 'The number of its bills.' }),
  paid: z.int().meta({ description: 'How many of them are fully paid.' }),
  amount: moneySchema('The sum of its bills.'),
  receivedAmount: moneySchema('What has arrived for them, with cash.'),
};

/** The open shift, as `shiftJson` writes it. */
export const openShiftSchema = z.strictObject({
  shift: z
    .strictObject({ ...shiftMembers, cashAmount: moneySchema('The cash that the cashier took. Closing the shift needs a count of it.') })
    .nullable()
    .meta({ description: 'Null before the first bill: it opens the shift.' }),
  takesCash: z.boolean().meta({ description: 'Whether the merchant lets this cashier record cash.' }),
});

/** A closed shift, as `closedShiftJson` writes it. */
export const closedShiftSchema = z
  .strictObject({
    ...shiftMembers,
    closedAt: timeSchema('When it was closed.').nullable(),
    expectedCash: moneySchema('The cash by the ledger; null if it took none.').nullable(),
    countedCash: moneySchema('The cash that the cashier counted; null if it took none.').nullable(),
  })
  .meta({ title: 'ClosedShift', description: 'A closed shift.' });

export function shiftJson({ shift }: CounterView, takesCash: boolean): string {
  if (!shift) return `{"shift":null,"takesCash":${takesCash}}`;
  const { id, code, openedAt, sum, cash } = shift;
  return `{"shift":{${inner({ id, code, openedAt: openedAt.getTime() })},${sumMembers(sum)},${moneyMembers({ cashAmount: cash })}},"takesCash":${takesCash}}`;
}

export function closedShiftJson({ shift, sum }: ShiftSummary): string {
  const { id, code, openedAt, closedAt, expectedCash, countedCash } = shift;
  const facts = { id, code, openedAt: openedAt.getTime(), closedAt: closedAt?.getTime() ?? null };
  return `{${inner(facts)},${sumMembers(sum)},${moneyMembers({ expectedCash, countedCash })}}`;
}

export const SHIFT_EXAMPLE = {
  id: '01a1fb0f-d1c2-7000-8000-2f4b6d8a0c3e',
  code: 'KX7Q',
  openedAt: BILL_DATE_EXAMPLE,
  bills: 1,
  paid: 0,
  amount: 5000,
  receivedAmount: 0,
};

/** Returns the failure of cash that was not recorded. `due` is what the customer would have to pay, senti. */
export function cashFailure(code: CashRefusal, billId: string, due: bigint) {
  switch (code) {
    case 'bill_not_found':
      return { code, detail: billId } as const;
    case 'not_allowed':
    case 'second_factor_due':
      return { code: 'not_allowed' } as const;
    case 'prompt_open':
      return { code: 'payment_request_open' } as const;
    case 'more_than_due':
      return { code: 'cash_too_much', detail: formatApiAmount(due) } as const;
    case 'shift_closed':
      return { code } as const;
    case 'idempotency_key_reused':
      return { code: 'id_used' } as const;
    default:
      throw new Error(`the input of a request was refused: ${code}`);
  }
}

function inner(members: Readonly<Record<string, string | number | null>>): string {
  return JSON.stringify(members).slice(1, -1);
}

function moneyMembers(members: Readonly<Record<string, bigint | null>>): string {
  return Object.entries(members)
    .map(([name, value]) => `"${name}":${value === null ? 'null' : formatApiAmount(value)}`)
    .join();
}

function sumMembers({ bills, paid, amount, paidAmount }: ShiftSummary['sum']): string {
  return `${inner({ bills, paid })},${moneyMembers({ amount, receivedAmount: paidAmount })}`;
}

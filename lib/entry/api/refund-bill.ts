import { z } from 'zod';
import type { ApiRuntime } from '@/lib/entry/http/api';
import { moneySchema, openEnum, timeSchema } from '@/lib/gateway/bills/answer-schema';
import { BILL_DATE_EXAMPLE, BILL_ID_EXAMPLE } from '@/lib/gateway/bills/bill-json';
import { amountSchema } from '@/lib/gateway/bills/schema';
import { REFUND_STATES, REFUND_WAYS } from '@/lib/gateway/refund-states/rules';
import { askRefundOfBill } from '@/lib/gateway/refunds/ask-refund';
import { listRefundsOfBill, type RefundView, showRefund } from '@/lib/gateway/refunds/list-refunds';
import type { KeyAccess } from '@/lib/identity/accounts/access/grant-access';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { formatApiAmount } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { oneLine, REASON_MAX } from '@/lib/platform/core/text';
import { ofBill } from './bill-history';

const reasonProblem = {
  error: ({ input }: { readonly input?: unknown }): FailureCode =>
    input === undefined || input === null ? 'reason_required' : 'reason_invalid',
};
const paymentProblem = { error: 'payment_invalid' satisfies FailureCode };

/** The body of a request for a refund. */
export const refundBody = (maxShillings: number) =>
  z.object({
    reason: z
      .string(reasonProblem)
      .max(REASON_MAX, { error: 'reason_invalid' satisfies FailureCode })
      .transform(oneLine)
      .refine((reason) => reason !== '', { error: 'reason_required' satisfies FailureCode })
      .meta({ minLength: 1, maxLength: REASON_MAX, description: 'Why the money goes back, for the history of the bill.' }),
    amount: amountSchema(maxShillings)
      .nullish()
      .meta({ description: 'How much goes back. Without it, all that the bill has of the payment.' }),
    payment: z
      .uuid(paymentProblem)
      .nullish()
      .meta({ description: 'The `payment` of an entry of the bill. Needed only if the bill has money of several payments.' }),
  });

/** The failure codes of reading the body of a refund. */
export const REFUND_INPUT_FAILURES = [
  'reason_required',
  'reason_invalid',
  'amount_not_number',
  'amount_not_positive',
  'amount_too_precise',
  'amount_too_large',
  'payment_invalid',
] as const satisfies readonly FailureCode[];

/** The failure codes of a refund. */
export const REFUND_FAILURES = [
  'bill_not_found',
  'payment_not_found',
  'idempotency_key_reused',
  'refund_payment_unclear',
  'nothing_to_refund',
  'refund_more_than_left',
  'refund_open',
] as const satisfies readonly FailureCode[];
type RefundFailure = Failure<(typeof REFUND_FAILURES)[number]>;

interface RefundOptions {
  readonly billId: string;
  readonly body: z.output<ReturnType<typeof refundBody>>;
  readonly idempotencyKey: string | null;
}

/** Asks for a refund of a bill. Returns it in its present state, and whether an earlier request with the same Idempotency-Key made it. */
export async function refundBill(
  runtime: ApiRuntime,
  access: KeyAccess,
  { billId, body: { amount = null, payment = null, reason }, idempotencyKey }: RefundOptions,
): Promise<Result<{ readonly refund: RefundView; readonly replayed: boolean }, RefundFailure>> {
  if (idempotencyKey === null) throw new Error('a refund needs an Idempotency-Key');
  const asked = await askRefundOfBill(runtime, access, { billId, paymentId: payment, amount, reason, idempotencyKey });
  if (!asked.ok) {
    const { code } = asked.error;
    if (code === 'bill_not_found') return fail({ code, detail: billId });
    if (code === 'payment_not_found') return fail({ code, detail: payment ?? '' });
    if (code === 'refund_payment_unclear') return fail(asked.error);
    if (code === 'not_allowed' || code === 'second_factor_due' || code === 'not_proven') throw new Error(`an API key was refused: ${code}`);
    return fail({ code });
  }
  const { id, replayed } = asked.value;
  const refund = await showRefund(runtime, access, id);
  if (!refund) throw new Error(`refund ${id} does not exist`);
  return ok({ refund, replayed });
}

/** Returns the refunds of a bill as JSON text, newest first. */
export function readBillRefunds(runtime: Pick<ApiRuntime, 'db'>, access: KeyAccess, id: string) {
  return ofBill(runtime, access, id, async () => {
    const refunds = await listRefundsOfBill(runtime.db, access.scope, id);
    return `{"refunds":[${refunds.map(refundJson).join(',')}]}`;
  });
}

/** Returns a refund as JSON text. */
export function refundJson({ id, billId, paymentId, amount, state, way, reason, failureReason, ...refund }: RefundView): string {
  const { receipt, createdAt, settledAt } = refund;
  const texts = { id, bill: billId, payment: paymentId };
  const told = { state, way, reason, failure: failureReason, receipt };
  const times = { createdAt: createdAt.getTime(), doneAt: state === 'DONE' ? (settledAt?.getTime() ?? null) : null };
  const [start, middle, end] = [texts, told, times].map((part) => JSON.stringify(part).slice(1, -1));
  return `{${start},"amount":${formatApiAmount(amount)},${middle},${end}}`;
}

/** A refund, as `refundJson` writes it. */
export const refundSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'The id of the refund.' }),
    bill: z.uuid().nullable().meta({ description: 'The bill whose money goes back. Null if the operator gave a payment back as a whole.' }),
    payment: z.uuid().meta({ description: 'The id of the payment.' }),
    amount: moneySchema('The amount that goes back.'),
    state: openEnum(REFUND_STATES).meta({
      description:
        '`ASKED`: a second person must approve it. `APPROVED`: a person must return the money by hand. `QUEUED`, `SENDING`: Bili is about to ask the provider. `UNKNOWN`: the provider has it, or may have it; Bili asks until the outcome is known. `DONE`, `FAILED`.',
    }),
    way: openEnum(REFUND_WAYS).meta({
      description:
        '`reversal`: the provider takes the payment back. `payout`: money is sent to the number that paid. `hand`: a person returns it.',
    }),
    reason: z.string().meta({ description: 'Why, as the request said.' }),
    failure: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed; null unless `FAILED`. `declined` and `cancelled`: a person stopped it.' }),
    receipt: z.string().nullable().meta({ description: "The provider's number of the refund; null until it is done." }),
    createdAt: timeSchema('When it was asked for.'),
    doneAt: timeSchema('When it was done; null until then.').nullable(),
  })
  .meta({ title: 'Refund', description: 'Money that goes back to a customer.' });

export const refundsSchema = z.strictObject({ refunds: z.array(refundSchema) });

export const REFUND_EXAMPLE = {
  id: '01a1fb10-12c4-7000-8000-5d8e2f6a1c4b',
  bill: BILL_ID_EXAMPLE,
  payment: '01a1fb0f-ebe1-7000-8000-b3d07c5e9a12',
  amount: 1500,
  state: 'QUEUED',
  way: 'reversal',
  reason: 'One item was sold out',
  failure: null,
  receipt: null,
  createdAt: BILL_DATE_EXAMPLE + 60_000,
  doneAt: null,
} satisfies z.output<typeof refundSchema>;

export const REFUNDS_EXAMPLE = {
  refunds: [{ ...REFUND_EXAMPLE, state: 'DONE', receipt: '8K3J2H1GR', doneAt: BILL_DATE_EXAMPLE + 64_000 }],
} satisfies z.output<typeof refundsSchema>;

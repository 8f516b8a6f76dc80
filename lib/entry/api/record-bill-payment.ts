import { z } from 'zod';
import type { ApiRuntime } from '@/lib/entry/http/api';
import { moneySchema, openEnum, timeSchema } from '@/lib/gateway/bills/answer-schema';
import { BILL_DATE_EXAMPLE, BILL_ID_EXAMPLE } from '@/lib/gateway/bills/bill-json';
import { amountSchema } from '@/lib/gateway/bills/schema';
import { recordPayment } from '@/lib/gateway/ledger/record-payment';
import { HAND_SOURCES, SLIP_MAX } from '@/lib/gateway/ledger/rules';
import type { KeyAccess } from '@/lib/identity/accounts/access/grant-access';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { formatApiAmount } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { REASON_MAX } from '@/lib/platform/core/text';

/** Returns the options of a check that fails with this code. */
const failing = (error: FailureCode) => ({ error });

/** The body of a request that records a payment. */
export const recordBody = (maxShillings: number) =>
  z.object({
    amount: amountSchema(maxShillings),
    kind: z.enum(HAND_SOURCES, failing('kind_invalid')).meta({ description: 'How the money was received.' }),
    receivedAt: z.string(failing('received_at_invalid')).max(40, failing('received_at_invalid')).nullish().meta({
      description: 'When it was received: a day such as `2026-11-20`, or a time with an offset. At most one year ago. Without it, now.',
    }),
    slip: z
      .string(failing('slip_invalid'))
      .max(SLIP_MAX, failing('slip_invalid'))
      .nullish()
      .meta({ description: 'The number of the slip. A merchant may use it once.' }),
    note: z
      .string(failing('note_invalid'))
      .max(REASON_MAX, failing('note_invalid'))
      .nullish()
      .meta({ description: 'A note for the history of the bill in the dashboard.' }),
    overpay: z
      .boolean(failing('overpay_invalid'))
      .nullish()
      .meta({ description: 'Whether the amount may be more than what is left of the bill.' }),
  });

/** The failure codes of reading the body of a recorded payment. */
export const RECORD_INPUT_FAILURES = [
  'amount_required',
  'amount_not_number',
  'amount_not_positive',
  'amount_too_precise',
  'amount_too_large',
  'kind_invalid',
  'received_at_invalid',
  'slip_invalid',
  'note_invalid',
  'overpay_invalid',
] as const satisfies readonly FailureCode[];

/** The failure codes of recording a payment. */
export const RECORD_FAILURES = [
  'bill_not_found',
  'received_at_invalid',
  'idempotency_key_reused',
  'slip_used',
  'payment_request_open',
  'more_than_due',
] as const satisfies readonly FailureCode[];

interface RecordOptions {
  readonly billId: string;
  readonly body: z.output<ReturnType<typeof recordBody>>;
  readonly idempotencyKey: string | null;
}

/** Records a payment of a bill. Returns it as JSON text, and whether an earlier request with the same Idempotency-Key recorded it. */
export async function recordBillPayment(
  runtime: ApiRuntime,
  access: KeyAccess,
  { billId, body: { kind: source, amount, receivedAt, slip, note, overpay }, idempotencyKey }: RecordOptions,
): Promise<Result<{ readonly json: string; readonly replayed: boolean }, Failure<(typeof RECORD_FAILURES)[number]>>> {
  if (idempotencyKey === null) throw new Error('a recorded payment needs an Idempotency-Key');
  const entered = { amount, source, receivedAt: receivedAt ?? '', slip: slip ?? '', note: note ?? '', overpay: overpay ?? false };
  const recorded = await recordPayment(runtime, access, { ...entered, billId, requestKey: idempotencyKey });
  if (recorded.ok) {
    const { paymentId, replayed } = recorded.value;
    return ok({ json: await readRecorded(runtime, billId, paymentId), replayed });
  }
  const { error } = recorded;
  switch (error.code) {
    case 'bill_not_found':
      return fail({ code: 'bill_not_found', detail: billId });
    case 'prompt_open':
      return fail({ code: 'payment_request_open' });
    case 'more_than_due':
      return fail({ code: error.code, detail: formatApiAmount(error.left) });
    case 'received_at_invalid':
    case 'idempotency_key_reused':
    case 'slip_used':
      return fail({ code: error.code });
    default:
      throw new Error(`the input of a request was refused: ${error.code}`);
  }
}

async function readRecorded({ db }: Pick<ApiRuntime, 'db'>, bill: string, id: string): Promise<string> {
  const { amount, source, providerTransactionId, happenedAt, recordedAt } = await db.prisma.payment.findUniqueOrThrow({ where: { id } });
  const texts = JSON.stringify({ id, bill, kind: source, receipt: providerTransactionId }).slice(1, -1);
  const times = `"receivedAt":${(happenedAt ?? recordedAt).getTime()},"createdAt":${recordedAt.getTime()}`;
  return `{${texts},"amount":${formatApiAmount(amount)},${times}}`;
}

/** A recorded payment, as `readRecorded` writes it. */
export const recordedSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'The id of the payment.' }),
    bill: z.uuid().meta({ description: 'The id of the bill.' }),
    kind: openEnum(HAND_SOURCES).meta({ description: 'How the money was received.' }),
    receipt: z.string().meta({ description: 'The number of the slip; the id of the payment if it has none.' }),
    amount: moneySchema('The amount, without later corrections.'),
    receivedAt: timeSchema('When the money was received.'),
    createdAt: timeSchema('When the payment was recorded.'),
  })
  .meta({ title: 'RecordedPayment', description: 'A payment that a person received.' });

export const RECORDED_EXAMPLE = {
  id: '01a1fb10-12c4-7000-8000-5d8e2f6a1c4b',
  bill: BILL_ID_EXAMPLE,
  kind: 'cash',
  receipt: 'SLIP-0042',
  amount: 1500,
  receivedAt: BILL_DATE_EXAMPLE + 60_000,
  createdAt: BILL_DATE_EXAMPLE + 60_000,
} satisfies z.output<typeof recordedSchema>;

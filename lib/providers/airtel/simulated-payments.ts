import type { Ending } from '@/lib/providers/simulation/behaviours';
import type { Reply, SimulatedRequest } from '@/lib/providers/simulation/server';
import { describeIssues, type Simulation } from '@/lib/providers/simulation/simulation';
import { paymentRequestSchema, refundRequestSchema } from './wire';

/** The states of a payment in answers to status queries and in callbacks. */
export const LETTERS: Readonly<Record<Ending, string>> = {
  paid: 'TS',
  cancelled: 'TF',
  wrong_pin: 'TF',
  insufficient_funds: 'TF',
  internal_error: 'TF',
  expired: 'TE',
};
export const MESSAGES: Readonly<Record<Ending, string>> = {
  paid: 'Success',
  cancelled: 'Transaction cancelled by the customer',
  wrong_pin: 'Incorrect PIN',
  insufficient_funds: 'Not enough balance',
  internal_error: 'Something Went Wrong',
  expired: 'Transaction expired',
};
const CODES: Readonly<Record<Ending, string>> = {
  paid: 'DP00800001006',
  cancelled: 'DP00800001008',
  wrong_pin: 'DP00800001002',
  insufficient_funds: 'DP00800001007',
  internal_error: 'DP00800001005',
  expired: 'DP00800001029',
};
const IN_PROCESS = 'DP00800001006';

/** Creates the answer that refuses a request. @param why the reason for `GET /control`; by default the message. */
export function failure(code: string, message: string, why = message): Reply {
  const member = code.startsWith('DP') ? 'response_code' : 'result_code';
  return { status: 400, body: { status: { [member]: code, code: '400', success: false, message } }, why };
}

function success(transaction: object, response_code: string): Reply {
  const status = { code: '200', message: 'SUCCESS', result_code: 'ESB000010', response_code, success: true };
  return { status: 200, body: { data: { transaction }, status } };
}

export async function takePayment(simulation: Simulation<null>, { body }: SimulatedRequest): Promise<Reply> {
  const { record, conduct, random, clock } = simulation;
  if (conduct.suspended) return failure('ESB000039', 'Vendor is not configured to do transaction in the country TZ');
  const parsed = paymentRequestSchema.safeParse(body);
  if (!parsed.success) return failure('ESB000008', describeIssues(parsed.error));
  const { subscriber, transaction } = parsed.data;
  const { id: reference, amount } = transaction;
  // Nine digits, without 255 and without 0.
  if (!/^[67]\d{8}$/.test(subscriber.msisdn))
    return failure('DP00800001005', 'Msisdn Not Found', 'subscriber.msisdn must be nine digits, without 255 and without 0: 712345678');
  if (record.findByReference(reference)) return failure('ESB000041', 'External Transaction ID already exists.');
  return simulation.take(
    { reference, id: newReceipt(clock(), random(5)), mobile: subscriber.msisdn, amount, details: null },
    {
      // The portal's own sample has `false` as id.
      accepted: () => success({ id: false, status: 'SUCCESS' }, IN_PROCESS),
      refused: (refusal) =>
        refusal === 'limit_exceeded'
          ? failure('DP00800001003', 'Exceeds withdrawal amount limit')
          : failure('DP00800001005', 'Msisdn Not Found'),
    },
  );
}

export function showPayment({ record }: Simulation<null>, { params }: SimulatedRequest): Reply {
  const payment = record.query(record.findByReference(params.id ?? ''));
  if (!payment) return failure('DP00800001025', 'Transaction not found');
  const { reference: id, id: airtel_money_id } = payment;
  const ending = record.endingOf(payment);
  if (ending === null) return success({ id, status: 'TIP', message: 'Transaction in progress' }, IN_PROCESS);
  if (ending === 'paid') {
    const status = record.isReversed(payment) ? 'TR' : 'TS';
    return success({ id, status, message: MESSAGES.paid, airtel_money_id }, CODES.paid);
  }
  // As in the portal's sample, the answer about a failed payment has HTTP 200, `success: false`, and a receipt number.
  const transaction = { id, status: LETTERS[ending], message: MESSAGES[ending], airtel_money_id };
  return {
    status: 200,
    body: { data: { transaction }, status: { response_code: CODES[ending], code: '200', success: false, message: 'FAILED' } },
  };
}

export function refund({ record }: Simulation<null>, { body }: SimulatedRequest): Reply {
  const parsed = refundRequestSchema.safeParse(body);
  if (!parsed.success) return failure('ESB000008', 'transaction.airtel_money_id is required');
  const { airtel_money_id } = parsed.data.transaction;
  const payment = record.findById(airtel_money_id);
  if (!payment || record.endingOf(payment) !== 'paid') return failure('ESB000045', 'No Transaction Found With Provided Transaction Id.');
  if (record.isReversed(payment)) return failure('ESB000011', 'Transaction was already refunded');
  payment.reversedAt = record.now();
  return success({ airtel_money_id, status: 'SUCCESS' }, IN_PROCESS);
}

/** Returns a receipt number such as `MP261123.1426.A1B2C3D4E5`. */
function newReceipt(now: Date, random: Uint8Array): string {
  const [, day = '', hour, minute] = /^\d\d(\S+)T(\d+):(\d+)/.exec(now.toISOString()) ?? [];
  return `MP${day.replaceAll('-', '')}.${hour}${minute}.${Buffer.from(random).toString('hex').toUpperCase()}`;
}

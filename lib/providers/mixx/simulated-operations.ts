import { readFlatXml, writeFlatXml } from '@/lib/providers/port/xml';
import type { Ending } from '@/lib/providers/simulation/behaviours';
import type { Reply } from '@/lib/providers/simulation/server';
import type { Simulation } from '@/lib/providers/simulation/simulation';
import { REFUND_FAILED, REFUNDED } from './codes';
import { COMMAND, refundRequestSchema, STATUS_TYPE } from './wire';

interface Biller {
  readonly msisdn: string;
  readonly code: string;
  readonly pin: string;
}

const STATUSES: Readonly<Record<Ending, readonly [status: string, description: string]>> = {
  paid: ['Posted', 'Success'],
  cancelled: ['Failed', 'Cancelled by customer'],
  wrong_pin: ['Failed', 'Wrong PIN'],
  insufficient_funds: ['Failed', 'Insufficient balance'],
  internal_error: ['Failed', 'Backend error'],
  expired: ['Expired', 'No response of the customer'],
};

function xml(fields: Readonly<Record<string, string>>): Reply {
  return {
    status: 200,
    ...(fields.RESULTCODE !== '0' && { why: fields.RESULTDESC }),
    body: writeFlatXml(COMMAND, { TYPE: `${STATUS_TYPE}Response`, ...fields }),
    headers: { 'content-type': 'text/xml' },
  };
}

/** Answers a status query. */
export function answerStatus({ record }: Simulation<null>, biller: Biller, text: string): Reply {
  const query = readFlatXml(text, COMMAND);
  if (query?.TYPE !== STATUS_TYPE) return xml({ RESULTCODE: 'GetSOError001', RESULTDESC: 'Invalid request' });
  if (query.MSISDN !== biller.msisdn || query.PIN !== biller.pin) return xml({ RESULTCODE: 'GetSOError002', RESULTDESC: 'Invalid PIN' });
  const payment = record.query(record.findByReference(query.EXTERNALREFID ?? ''));
  if (!payment) return xml({ RESULTCODE: 'GetSOError003', RESULTDESC: 'Transaction not found' });
  const ending = record.endingOf(payment);
  const isReversed = ending === 'paid' && record.isReversed(payment);
  const [status, description] = isReversed ? ['Reversed', 'Reversed'] : ending === null ? ['Pending', 'In process'] : STATUSES[ending];
  return xml({
    RESULTCODE: '0',
    RESULTDESC: description,
    TXNSTATUS: status,
    ...(ending === 'paid' && { TXNID: payment.id }),
    EXTERNALREFID: payment.reference,
    AMOUNT: String(payment.amount),
    MSISDN: payment.mobile,
    COMPANYNAME: biller.code,
  });
}

/** Refunds a whole payment, once. */
export function refund({ record }: Simulation<null>, biller: Biller, body: unknown): Reply {
  const answer = (ResponseCode: string, ResponseDescription: string): Reply => ({
    status: 200,
    body: { ResponseCode, ResponseStatus: ResponseCode === REFUNDED, ResponseDescription },
    ...(ResponseCode !== REFUNDED && { why: ResponseDescription }),
  });
  const request = refundRequestSchema.safeParse(body).data;
  if (!request || request.ChannelMSISDN !== biller.msisdn || request.ChannelPIN !== biller.pin)
    return answer(REFUND_FAILED, 'Invalid request');
  if (!request.ReferenceID.startsWith(biller.code)) return answer(REFUND_FAILED, 'Invalid ReferenceID');
  const payment = record.findById(request.MFSTransactionID);
  const fits =
    payment?.reference === request.PurchaseReferenceID && payment.amount === request.Amount && payment.mobile === request.CustomerMSISDN;
  if (!payment || !fits || record.endingOf(payment) !== 'paid') return answer(REFUND_FAILED, 'No such payment');
  if (record.isReversed(payment)) return answer(REFUND_FAILED, 'Already refunded');
  payment.reversedAt = record.now();
  return answer(REFUNDED, 'Refunded');
}

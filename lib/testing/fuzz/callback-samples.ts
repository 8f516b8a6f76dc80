import { idOf } from '@/lib/providers/pawapay/ids';

/** A callback of a provider in the form that its adapter reads, so that every member and header reaches the code that parses it. */
interface CallbackSample {
  readonly body: Readonly<Record<string, unknown>>;
  /** The headers that the adapter reads. Signatures have the right form but are not valid. */
  readonly headers: (now: Date) => Readonly<Record<string, string>>;
}

const HEX = 'ab'.repeat(32);
const BASE64 = Buffer.alloc(64, 1).toString('base64');
const REFERENCE = 'ABCDEFGHJKLMNPQRSTUV';
const TZS = { value: 5000, currency: 'TZS' };

/**
 * A callback of each provider for which an account can be added. The callback of M-Pesa has no headers and no nested object, because the
 * adapter of M-Pesa reads neither.
 */
export const CALLBACK_SAMPLES = {
  mpesa: {
    body: { input_OriginalConversationID: 'C1', input_ResultCode: '0', input_ThirdPartyConversationID: REFERENCE },
    headers: () => ({}),
  },
  snippe: {
    body: {
      id: 'evt_1',
      type: 'payment.completed',
      data: {
        reference: 'R1',
        status: 'completed',
        amount: TZS,
        settlement: { fees: TZS },
        failure_reason: 'none',
        metadata: { reference: REFERENCE },
      },
    },
    headers: (now) => ({ 'x-webhook-timestamp': String(Math.floor(now.getTime() / 1_000)), 'x-webhook-signature': HEX }),
  },
  clickpesa: {
    body: {
      event: 'PAYMENT RECEIVED',
      eventType: 'PAYMENT RECEIVED',
      data: {
        id: 'LCP1',
        status: 'SUCCESS',
        orderReference: REFERENCE,
        collectedAmount: '5000',
        collectedCurrency: 'TZS',
        message: 'Received',
        clientId: 'IDsimulated',
      },
      checksum: HEX,
    },
    headers: () => ({ 'x-clickpesa-checksum': HEX, 'x-clickpesa-signature': HEX }),
  },
  mixx: {
    body: { Status: true, Description: 'Paid', MFSTransactionID: 'MP1', ReferenceID: `BILI${REFERENCE}`, Amount: '5000' },
    headers: () => ({}),
  },
  pawapay: {
    body: {
      depositId: idOf(REFERENCE),
      status: 'COMPLETED',
      amount: '5000',
      currency: 'TZS',
      clientReferenceId: REFERENCE,
      failureReason: { failureCode: 'OTHER_ERROR', failureMessage: 'Other' },
    },
    headers: (now) => ({
      'signature-input': `sig-pp=("@method" "@authority" "@path" "content-digest");alg="ecdsa-p256-sha256";created=${Math.floor(now.getTime() / 1_000)}`,
      signature: `sig-pp=:${BASE64}:`,
      'content-digest': `sha-512=:${BASE64}:`,
    }),
  },
  azampay: {
    body: { transactionstatus: 'success', utilityref: REFERENCE, transid: 'T1', externalreference: REFERENCE },
    headers: () => ({}),
  },
  airtel: {
    body: { transaction: { id: REFERENCE, message: 'Paid', status_code: 'TS', airtel_money_id: 'A1' }, hash: BASE64 },
    headers: () => ({}),
  },
  selcom: {
    body: {
      order_id: REFERENCE,
      payment_status: 'COMPLETED',
      result: 'SUCCESS',
      resultcode: '000',
      resulcode: '000',
      amount: '5000',
      currency: 'TZS',
      reference: 'S1',
    },
    headers: (now) => ({
      timestamp: now.toISOString(),
      digest: BASE64,
      'digest-method': 'HS256',
      'signed-fields': 'order_id,reference,payment_status,amount',
    }),
  },
} as const satisfies Readonly<Record<string, CallbackSample>>;

export type SampledProvider = keyof typeof CALLBACK_SAMPLES;

import type { FailureReason } from '@/lib/providers/port/outcome';

/** The meaning of a result code for the request that it answers. */
type Meaning =
  | { readonly kind: 'processed' }
  /** Money may move or may have moved. Only a status query can tell. */
  | { readonly kind: 'unknown' }
  /** M-Pesa already has a request with this reference. */
  | { readonly kind: 'duplicate' }
  /** M-Pesa has refused the request for good, so the attempt has failed. */
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  /** M-Pesa has refused the request before it did anything. The same request may be sent again with a new session. */
  | { readonly kind: 'not_sent' };

interface CodeEntry {
  readonly http: number;
  readonly description: string;
  readonly meaning: Meaning;
}

const unknown: Meaning = { kind: 'unknown' };
const notSent: Meaning = { kind: 'not_sent' };
const failed = (reason: FailureReason): Meaning => ({ kind: 'failed', reason });

/**
 * Result codes of market vodacomTZN. Sources: the table of the OpenAPI portal, and reports of integrators (INS-1 also means
 * insufficient balance; INS-6 comes with HTTP 401). In Mozambique's older API some of these codes have other meanings.
 */
export const CODES = {
  'INS-0': { http: 201, description: 'Request processed successfully', meaning: { kind: 'processed' } },
  'INS-1': { http: 400, description: 'Internal Error', meaning: unknown },
  // With this code, HTTP 401 does not mean that the session is invalid.
  'INS-6': { http: 401, description: 'Transaction Failed', meaning: failed('rejected') },
  'INS-9': { http: 408, description: 'Request timeout', meaning: unknown },
  'INS-10': { http: 409, description: 'Duplicate Transaction', meaning: { kind: 'duplicate' } },
  'INS-13': { http: 400, description: 'Invalid Shortcode Used', meaning: failed('merchant_config') },
  'INS-15': { http: 400, description: 'Invalid Amount Used', meaning: failed('amount_invalid') },
  'INS-17': { http: 400, description: 'Invalid Transaction Reference. Length Should Be Between 1 and 20.', meaning: failed('rejected') },
  'INS-18': { http: 400, description: 'Invalid TransactionID Used', meaning: failed('rejected') },
  'INS-20': { http: 400, description: 'Not All Parameters Provided. Please try again.', meaning: failed('rejected') },
  'INS-21': { http: 400, description: 'Parameter validations failed. Please try again.', meaning: failed('rejected') },
  'INS-23': { http: 400, description: 'Unknown Status. Contact M-Pesa Support', meaning: unknown },
  'INS-26': { http: 400, description: 'Invalid Currency Used', meaning: failed('merchant_config') },
  'INS-28': { http: 400, description: 'Invalid ThirdPartyConversationID Used', meaning: failed('rejected') },
  'INS-30': { http: 400, description: 'Invalid Purchased Items Description Used', meaning: failed('rejected') },
  'INS-31': { http: 400, description: 'Invalid Payment Items Description Used', meaning: failed('rejected') },
  'INS-35': { http: 400, description: 'TransactionID does not belong to this organisation', meaning: failed('rejected') },
  'INS-989': { http: 400, description: 'Session Creation Failed', meaning: notSent },
  'INS-990': { http: 400, description: 'Customer Transaction Value Limit Breached', meaning: failed('limit_exceeded') },
  'INS-991': { http: 400, description: 'Customer Transaction Count Limit Breached', meaning: failed('limit_exceeded') },
  'INS-992': { http: 400, description: 'Multiple Limits Breached', meaning: failed('limit_exceeded') },
  'INS-993': { http: 400, description: 'Organisation Transaction Count Limit Breached', meaning: failed('merchant_config') },
  'INS-994': { http: 400, description: 'Organisation Transaction Value Limit Breached', meaning: failed('merchant_config') },
  // The limit of the merchant's application in the portal, not of the customer.
  'INS-995': { http: 400, description: 'API Single Transaction Limit Breached', meaning: failed('merchant_config') },
  'INS-996': { http: 400, description: 'Organisation Session Used Outside Its Time Window', meaning: notSent },
  'INS-997': { http: 400, description: 'API Not Enabled', meaning: failed('merchant_config') },
  'INS-998': { http: 400, description: 'Invalid Market', meaning: failed('merchant_config') },
  'INS-999': { http: 400, description: 'Invalid Use Case', meaning: failed('merchant_config') },
  'INS-2006': { http: 422, description: 'Insufficient balance', meaning: failed('insufficient_funds') },
  'INS-2051': { http: 400, description: 'MSISDN invalid', meaning: failed('mobile_not_registered') },
} as const satisfies Readonly<Record<string, CodeEntry>>;

export type Code = keyof typeof CODES;

export function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text);
}

/** Returns the meaning of a code. An empty code, or one that is not in the table, is unknown. */
export function meaningOf(code: string): Meaning {
  return isCode(code) ? CODES[code].meaning : unknown;
}

/** Returns whether a code means that the session is no longer valid. */
export function endsSession(code: string): boolean {
  return code === 'INS-996';
}

import { createHmac } from 'node:crypto';
import type { Bill } from '@/lib/gateway/bills/rules';
import type { PaymentSource } from '@/lib/gateway/ledger/rules';
import { shortCode } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';

/** A payment on the receipt of a bill. Amounts are senti. */
export interface ReceiptPayment {
  readonly id: string;
  /** The provider's receipt number, or the number of the slip. If a person received the money without a slip, the id of the payment. */
  readonly transactionId: string;
  readonly source: PaymentSource;
  readonly mobile: string | null;
  /** The part that was allocated to the bill, corrections included. */
  readonly received: Senti;
  /** The part of `received` that has not been reversed. */
  readonly kept: Senti;
  readonly recordedAt: Date;
}

/** Money of a bill that the customer has got back. The amount is senti. */
export interface ReceiptReturn {
  readonly id: string;
  readonly amount: Senti;
  readonly returnedAt: Date;
}

/**
 * The state of a receipt. `part`: the bill is partly paid, and nothing was reversed. `back`: all payments were reversed. `backAndPart`: a
 * part of the money was reversed, and the bill is partly paid. `uncounted`: nothing was reversed, but a person corrected all payments to
 * zero.
 */
type ReceiptStatus = 'paid' | 'part' | 'back' | 'backAndPart' | 'uncounted';

/**
 * A code has 60 bits. With 100 million bills, the chance that any two bills have the same first code is 1 in 230. In that case, one of the
 * two bills uses its second code.
 */
const CODES_OF_A_BILL = 3;

/**
 * Returns the possible codes of a bill's receipt, in order of preference. Each contains 60 bits of an HMAC, so that
 * nobody can create a code without the key.
 */
export function receiptCodes(key: Uint8Array, { id, environment }: Pick<Bill, 'id' | 'environment'>): readonly string[] {
  return Array.from({ length: CODES_OF_A_BILL }, (_, index) => {
    return shortCode(createHmac('sha256', key).update(`${environment}/${id}/${index}`).digest());
  });
}

/** Formats a code like `K7PM-2QXD-9FTA`. */
export function groupCode(code: string): string {
  return code.replace(/.{4}(?=.)/g, '$&-');
}

/** Formats a receipt number like `…4Q7Z`: enough to compare it with a paper receipt, but not to forge one. */
export function maskReceiptNumber(transactionId: string): string {
  return `…${transactionId.slice(-4)}`;
}

/** Returns the state of a receipt. @param payments all payments of the bill, also reversed ones. */
export function receiptStatus({ status }: Pick<Bill, 'status'>, payments: readonly ReceiptPayment[]): ReceiptStatus {
  if (status === 'FULLY_PAID') return 'paid';
  const reversed = payments.some(({ received, kept }) => kept < received);
  if (status === 'NOT_PAID') return reversed ? 'back' : 'uncounted';
  return reversed ? 'backAndPart' : 'part';
}

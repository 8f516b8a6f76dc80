import { createHmac } from 'node:crypto';
import type { Bill } from '@/lib/bills/rules';
import type { Senti } from '@/lib/core/money';

/** A payment as its bill's receipt shows it. Amounts in senti. */
export interface ReceiptPayment {
  readonly id: string;
  /** The provider's receipt number. */
  readonly transactionId: string;
  readonly mobile: string | null;
  /** What the bill got of it. */
  readonly came: Senti;
  /** What of that has not been sent back. */
  readonly kept: Senti;
  readonly recordedAt: Date;
}

/**
 * What is true of a receipt's bill now. `backAndPart`: some was sent back, some is still there, and it is not all of the bill.
 * `uncounted`: nothing went back, and a person corrected that nothing was paid.
 */
export type ReceiptStatus = 'paid' | 'part' | 'back' | 'backAndPart' | 'uncounted';

/** Crockford's base 32 (https://www.crockford.com/base32.html): no I, L, O or U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 12;
const BITS = 5n;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
const LOOK_ALIKES: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0', U: 'V' };

/** Among a hundred million bills two have the same first code with a chance of 1 in 230; then the second bill gets its next one. */
const CODES_OF_A_BILL = 3;

/**
 * The codes that a bill's receipt may have, in the order in which they are taken: 60 bits of an HMAC each, so that only who
 * has the key can make one.
 */
export function receiptCodes(key: Uint8Array, { id, environment }: Pick<Bill, 'id' | 'environment'>): readonly string[] {
  return Array.from({ length: CODES_OF_A_BILL }, (_, turn) => {
    const mac = createHmac('sha256', key).update(`${environment}/${id}/${turn}`).digest();
    const bits = mac.readBigUInt64BE() >> 4n;
    return Array.from({ length: LENGTH }, (_, place) => ALPHABET[Number((bits >> (BITS * BigInt(place))) & 31n)]).join('');
  });
}

/** Reads a code as people copy it: small or large, with or without spaces and dashes, O for 0. @returns null for what is no code. */
export function parseReceiptCode(typed: string): string | null {
  const code = typed
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
    .replace(/[ILOU]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
  return CODE.test(code) ? code : null;
}

/** @returns `K7PM-2QXD-9FTA`. */
export function groupCode(code: string): string {
  return code.replace(/.{4}(?=.)/g, '$&-');
}

/** @returns `…4Q7Z`: enough to compare with a receipt in hand, too little to copy one. */
export function maskReceiptNumber(transactionId: string): string {
  return `…${transactionId.slice(-4)}`;
}

/** @param payments all that the bill ever got. */
export function receiptStatus({ status }: Pick<Bill, 'status'>, payments: readonly ReceiptPayment[]): ReceiptStatus {
  if (status === 'FULLY_PAID') return 'paid';
  const wentBack = payments.some(({ came, kept }) => kept < came);
  if (status === 'NOT_PAID') return wentBack ? 'back' : 'uncounted';
  return wentBack ? 'backAndPart' : 'part';
}

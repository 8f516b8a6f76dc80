import { roundUpToShilling, type Senti } from '@/lib/platform/core/money';
import type { Environment } from '@/lib/platform/core/scope';

export const BILL_STATUSES = ['NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID'] as const;
export type BillStatus = (typeof BILL_STATUSES)[number];

/** A bill. Amounts are senti. */
export interface Bill {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly amount: Senti;
  readonly reference: string;
  readonly mobile: string | null;
  readonly paidAmount: Senti;
  /** The sum of the amounts of the bill's open attempts. */
  readonly reservedAmount: Senti;
  readonly status: BillStatus;
  readonly createdAt: Date;
  /** When the bill was fully paid for the first time. A reversal does not change it. */
  readonly paidAt: Date | null;
  readonly closedAt: Date | null;
}

/** Returns true if nobody may be asked to pay the bill: it is closed or has expired. A worker closes an expired bill within seconds. */
export function isClosed({ closedAt, expiresAt }: Pick<Bill, 'closedAt'> & { readonly expiresAt: Date | null }, now: Date): boolean {
  return closedAt !== null || (expiresAt !== null && expiresAt <= now);
}

/** Returns a bill as it is when it is created. If it has a mobile number, its first attempt reserves the whole amount. */
export function unpaidBill(
  { amount, reference, mobile }: Pick<Bill, 'amount' | 'reference' | 'mobile'>,
  { id, merchantId, environment, createdAt }: Pick<Bill, 'id' | 'merchantId' | 'environment' | 'createdAt'>,
): Bill {
  return {
    id,
    merchantId,
    environment,
    amount,
    reference,
    mobile,
    paidAmount: 0n,
    reservedAmount: mobile === null ? 0n : roundUpToShilling(amount),
    status: 'NOT_PAID',
    createdAt,
    paidAt: null,
    closedAt: null,
  };
}

/** Returns the status, which depends only on the amounts. An overpaid bill is fully paid. */
export function billStatus(amount: Senti, paidAmount: Senti): BillStatus {
  if (paidAmount === 0n) return 'NOT_PAID';
  return paidAmount < amount ? 'PARTIALLY_PAID' : 'FULLY_PAID';
}

/** Returns the exact amount that is left to pay; never negative. */
export function remainingAmount({ amount, paidAmount }: Pick<Bill, 'amount' | 'paidAmount'>): Senti {
  return paidAmount < amount ? amount - paidAmount : 0n;
}

/**
 * Returns by how much the paid amount exceeds the bill's amount; never negative. Before the comparison, the bill's amount is rounded up to
 * whole shillings, because customers can only be asked for whole shillings. The paid amount is not rounded.
 */
export function overpaidAmount({ amount, paidAmount }: Pick<Bill, 'amount' | 'paidAmount'>): Senti {
  const due = roundUpToShilling(amount);
  return paidAmount > due ? paidAmount - due : 0n;
}

export function isOverpaid(bill: Pick<Bill, 'amount' | 'paidAmount'>): boolean {
  return overpaidAmount(bill) > 0n;
}

/** Returns the most that another attempt may ask for: the remaining amount in whole shillings, minus what open attempts reserve. */
export function payableAmount({ amount, paidAmount, reservedAmount }: Pick<Bill, 'amount' | 'paidAmount' | 'reservedAmount'>): Senti {
  if (paidAmount >= amount) return 0n;
  const payable = roundUpToShilling(amount - paidAmount) - reservedAmount;
  return payable > 0n ? payable : 0n;
}

/** Returns the paid part of a bill in whole per cent, rounded down. It is 100 only when nothing is left. */
export function paidPercent(bill: Pick<Bill, 'amount' | 'paidAmount'>): number {
  return remainingAmount(bill) === 0n ? 100 : Number((bill.paidAmount * 100n) / bill.amount);
}

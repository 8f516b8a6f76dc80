import { roundUpToShilling, type Senti } from '@/lib/core/money';
import type { Environment } from '@/lib/core/scope';

export const BILL_STATUSES = ['NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID'] as const;
export type BillStatus = (typeof BILL_STATUSES)[number];

/** A bill as the rest of the product sees it. Amounts in senti. */
export interface Bill {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly amount: Senti;
  readonly reference: string;
  readonly mobile: string | null;
  readonly paidAmount: Senti;
  /** What open push attempts ask for at this moment. */
  readonly reservedAmount: Senti;
  readonly status: BillStatus;
  readonly createdAt: Date;
  /** When it was fully paid for the first time; a reversal does not change it. */
  readonly paidAt: Date | null;
  readonly closedAt: Date | null;
}

/** @returns a bill as it is when it is created. If it has a mobile number, a prompt asks for all of it. */
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

/** The status follows from the money, and from nothing else. An overpaid bill is fully paid. */
export function billStatus(amount: Senti, paidAmount: Senti): BillStatus {
  if (paidAmount === 0n) return 'NOT_PAID';
  return paidAmount < amount ? 'PARTIALLY_PAID' : 'FULLY_PAID';
}

/** @returns what is still to pay, exactly; never negative. */
export function remainingAmount({ amount, paidAmount }: Pick<Bill, 'amount' | 'paidAmount'>): Senti {
  return paidAmount < amount ? amount - paidAmount : 0n;
}

/** Pure. @returns by how much the payments are more than the bill asked for, which is whole shillings; never negative. */
export function overpaidAmount({ amount, paidAmount }: Pick<Bill, 'amount' | 'paidAmount'>): Senti {
  const asked = roundUpToShilling(amount);
  return paidAmount > asked ? paidAmount - asked : 0n;
}

/** Pure. */
export function isOverpaid(bill: Pick<Bill, 'amount' | 'paidAmount'>): boolean {
  return overpaidAmount(bill) > 0n;
}

/** @returns the most that a further prompt may ask for: what is left, in whole shillings, without what other prompts ask for already. */
export function payableAmount({ amount, paidAmount, reservedAmount }: Pick<Bill, 'amount' | 'paidAmount' | 'reservedAmount'>): Senti {
  if (paidAmount >= amount) return 0n;
  const payable = roundUpToShilling(amount - paidAmount) - reservedAmount;
  return payable > 0n ? payable : 0n;
}

/** Pure. @returns how much of a bill is paid, in whole hundredths: 100 only when nothing is left. */
export function paidPercent(bill: Pick<Bill, 'amount' | 'paidAmount'>): number {
  return remainingAmount(bill) === 0n ? 100 : Number((bill.paidAmount * 100n) / bill.amount);
}

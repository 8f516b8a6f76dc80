import { remainingAmount } from '@/lib/bills/rules';
import { findBillByLink } from '@/lib/bills/store';
import type { Senti } from '@/lib/core/money';
import type { Environment } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { groupCode, maskReceiptNumber, parseReceiptCode, type ReceiptStatus, receiptCodes, receiptStatus } from './rules';
import { findBillOfCode, listReceiptPayments } from './store';

/** What anybody who has a genuine code may know; amounts in senti. */
export interface VerifiedReceipt {
  readonly code: string;
  readonly environment: Environment;
  readonly merchantName: string;
  readonly reference: string;
  readonly amount: Senti;
  /** What the bill has now. */
  readonly paidAmount: Senti;
  readonly remaining: Senti;
  readonly status: ReceiptStatus;
  readonly payments: readonly VerifiedPayment[];
}

interface VerifiedPayment {
  readonly id: string;
  /** `…4Q7Z` */
  readonly receiptNumber: string;
  readonly came: Senti;
  readonly sentBack: Senti;
  readonly recordedAt: Date;
}

export type Verification =
  | { readonly kind: 'genuine'; readonly receipt: VerifiedReceipt }
  /** It looks like a code, and no receipt of this environment has it. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'malformed' };

/** Checks the code of a receipt, however it is written. @returns what is true of its bill now. */
export async function verifyReceipt(
  { db, secrets }: Pick<Runtime, 'db' | 'secrets'>,
  environment: Environment,
  typed: string,
): Promise<Verification> {
  const code = parseReceiptCode(typed);
  if (code === null) return { kind: 'malformed' };
  const billId = await findBillOfCode(db, environment, code);
  const bill = billId === undefined ? undefined : await findBillByLink(db, environment, billId);
  // The row says where to look; that it is genuine only the MAC says.
  if (!bill || !receiptCodes(secrets.key('receipt'), bill).includes(code)) return { kind: 'unknown' };
  const payments = await listReceiptPayments(db, bill.id);
  const { merchantName, reference, amount, paidAmount } = bill;
  return {
    kind: 'genuine',
    receipt: {
      code: groupCode(code),
      environment,
      merchantName,
      reference,
      amount,
      paidAmount,
      remaining: remainingAmount(bill),
      status: receiptStatus(bill, payments),
      payments: payments.map(({ id, transactionId, came, kept, recordedAt }) => ({
        id,
        receiptNumber: maskReceiptNumber(transactionId),
        came,
        sentBack: came - kept,
        recordedAt,
      })),
    },
  };
}

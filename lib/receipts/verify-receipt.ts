import { remainingAmount } from '@/lib/bills/rules';
import { findBillByLink } from '@/lib/bills/store';
import type { Senti } from '@/lib/core/money';
import type { Environment } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { groupCode, maskReceiptNumber, parseReceiptCode, type ReceiptStatus, receiptCodes, receiptStatus } from './rules';
import { findBillOfCode, listReceiptPayments } from './store';

/** The data that everybody with a genuine code may see. Amounts are senti. */
export interface VerifiedReceipt {
  readonly code: string;
  readonly environment: Environment;
  readonly merchantName: string;
  readonly reference: string;
  readonly amount: Senti;
  readonly paidAmount: Senti;
  readonly remaining: Senti;
  readonly status: ReceiptStatus;
  readonly payments: readonly VerifiedPayment[];
}

interface VerifiedPayment {
  readonly id: string;
  /** Masked, for example `…4Q7Z`. */
  readonly receiptNumber: string;
  readonly received: Senti;
  readonly reversed: Senti;
  readonly recordedAt: Date;
}

export type Verification =
  | { readonly kind: 'genuine'; readonly receipt: VerifiedReceipt }
  /** A well-formed code that no receipt of this environment has. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'malformed' };

/** Verifies the code of a receipt, in any notation. A genuine one also returns the current state of its bill. */
export async function verifyReceipt(
  { db, secrets }: Pick<Runtime, 'db' | 'secrets'>,
  environment: Environment,
  typed: string,
): Promise<Verification> {
  const code = parseReceiptCode(typed);
  if (code === null) return { kind: 'malformed' };
  const billId = await findBillOfCode(db, environment, code);
  const bill = billId === undefined ? undefined : await findBillByLink(db, environment, billId);
  // The row only finds the bill. Only the MAC proves that the code is genuine.
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
      payments: payments.map(({ id, transactionId, received, kept, recordedAt }) => ({
        id,
        receiptNumber: maskReceiptNumber(transactionId),
        received,
        reversed: received - kept,
        recordedAt,
      })),
    },
  };
}

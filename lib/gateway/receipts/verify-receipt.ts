import { findBillByLink } from '@/lib/gateway/bills/linked-bill';
import { remainingAmount } from '@/lib/gateway/bills/rules';
import { parseShortCode } from '@/lib/platform/core/ids';
import type { Environment } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { groupCode, maskReceiptNumber, receiptCodes, receiptStatus } from './rules';
import { findBillOfCode, listReceiptPayments, listReturns } from './store';

/** The data that everybody with a genuine code may see. Amounts are senti. */
export type VerifiedReceipt = Extract<Verification, { kind: 'genuine' }>['receipt'];

export type Verification = Awaited<ReturnType<typeof verifyReceipt>>;

/**
 * Verifies the code of a receipt, in any notation. For a genuine code, also returns the current state of the bill. A well-formed code is
 * `unknown` if no receipt of this environment has the code.
 */
export async function verifyReceipt({ db, secrets }: Pick<Runtime, 'db' | 'secrets'>, environment: Environment, typed: string) {
  const code = parseShortCode(typed);
  if (code === null) return { kind: 'malformed' } as const;
  const billId = await findBillOfCode(db, environment, code);
  const bill = billId === undefined ? undefined : await findBillByLink(db, environment, billId);
  // The stored code only serves to find the bill. Only the HMAC proves that the code is genuine.
  if (!bill || !receiptCodes(secrets.key('receipt'), bill).includes(code)) return { kind: 'unknown' } as const;
  const payments = await listReceiptPayments(db, bill.id);
  const returns = await listReturns(db, bill);
  const { merchantId, merchantName, brandColour, supportNumber, logoHash, logoWidth, logoHeight, reference, amount, paidAmount } = bill;
  return {
    kind: 'genuine' as const,
    receipt: {
      code: groupCode(code),
      environment,
      merchant: { merchantId, merchantName, brandColour, supportNumber, logoHash, logoWidth, logoHeight },
      reference,
      amount,
      paidAmount,
      remaining: remainingAmount(bill),
      status: receiptStatus(bill, payments),
      returns,
      payments: payments.map(({ id, transactionId, received, kept, recordedAt }) => ({
        id,
        /** Masked, for example `…4Q7Z`. */
        receiptNumber: maskReceiptNumber(transactionId),
        received,
        reversed: received - kept,
        recordedAt,
      })),
    },
  };
}

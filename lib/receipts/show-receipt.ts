import type { Bill } from '@/lib/bills/rules';
import { baseUrl } from '@/lib/config/settings';
import type { Runtime } from '@/lib/runtime/runtime';
import { groupCode, type ReceiptPayment, receiptCodes } from './rules';
import { findBillOfCode, insertReceipt, listReceiptPayments } from './store';

/** What a bill's receipt says beside the bill. */
export interface Receipt {
  /** Grouped for reading: `K7PM-2QXD-9FTA`. */
  readonly code: string;
  /** Where anybody can check the code, with it. */
  readonly verifyUrl: string;
  /** What the bill has now, oldest first. */
  readonly payments: readonly ReceiptPayment[];
}

type ReceiptRuntime = Pick<Runtime, 'db' | 'secrets' | 'settings' | 'clock'>;

/** The first time, it gives the receipt its code; from then on the code stays. @returns undefined while nothing is paid. */
export async function showReceipt(runtime: ReceiptRuntime, bill: Bill): Promise<Receipt | undefined> {
  if (bill.status === 'NOT_PAID') return undefined;
  const [code, payments] = await Promise.all([codeOf(runtime, bill), listReceiptPayments(runtime.db, bill.id)]);
  return {
    code: groupCode(code),
    verifyUrl: `${baseUrl(runtime.settings, bill.environment).origin}/verify?code=${code}`,
    payments: payments.filter(({ kept }) => kept > 0n),
  };
}

async function codeOf({ db, secrets, clock }: ReceiptRuntime, bill: Bill): Promise<string> {
  for (const code of receiptCodes(secrets.key('receipt'), bill)) {
    const known = await findBillOfCode(db, bill.environment, code);
    if (known === undefined) await insertReceipt(db, { code, bill, createdAt: clock() });
    if ((known ?? (await findBillOfCode(db, bill.environment, code))) === bill.id) return code;
  }
  throw new Error(`every receipt code of bill ${bill.id} is another bill's`);
}

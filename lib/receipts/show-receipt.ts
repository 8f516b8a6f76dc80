import type { Bill } from '@/lib/bills/rules';
import { baseUrl } from '@/lib/config/settings';
import type { Senti } from '@/lib/core/money';
import type { Runtime } from '@/lib/runtime/runtime';
import { groupCode, type ReceiptPayment, receiptCodes, receiptStatus } from './rules';
import { findBillOfCode, insertReceipt, listReceiptPayments } from './store';

/** The contents of a bill's receipt, apart from the bill itself. */
export interface Receipt {
  /** Grouped, for example `K7PM-2QXD-9FTA`. */
  readonly code: string;
  /** The address at which anybody can verify the receipt. It contains the code. */
  readonly verifyUrl: string;
  /** The payments that are not fully reversed, oldest first. */
  readonly payments: readonly ReceiptPayment[];
  /** How much of the bill's payments was reversed, senti. */
  readonly reversed: Senti;
}

type ReceiptRuntime = Pick<Runtime, 'db' | 'secrets' | 'settings' | 'clock'>;

/** Returns the receipt of a bill; undefined if nothing is paid. The first call chooses the code, which never changes. */
export async function showReceipt(runtime: ReceiptRuntime, bill: Bill): Promise<Receipt | undefined> {
  if (bill.status === 'NOT_PAID') return undefined;
  const [code, payments] = await Promise.all([codeOf(runtime, bill), listReceiptPayments(runtime.db, bill.id)]);
  return {
    code: groupCode(code),
    verifyUrl: `${baseUrl(runtime.settings, bill.environment).origin}/verify?code=${code}`,
    payments: payments.filter(({ kept }) => kept > 0n),
    reversed: payments.reduce((sum, { received, kept }) => sum + (received - kept), 0n),
  };
}

/** Returns the payments of a bill that is unpaid because its payments were reversed; an empty list for all other bills. */
export async function listReversedPayments({ db }: Pick<Runtime, 'db'>, bill: Pick<Bill, 'id' | 'status'>): Promise<ReceiptPayment[]> {
  const payments = bill.status === 'NOT_PAID' ? await listReceiptPayments(db, bill.id) : [];
  return receiptStatus(bill, payments) === 'back' ? payments : [];
}

async function codeOf({ db, secrets, clock }: ReceiptRuntime, bill: Bill): Promise<string> {
  for (const code of receiptCodes(secrets.key('receipt'), bill)) {
    const known = await findBillOfCode(db, bill.environment, code);
    if (known === undefined) await insertReceipt(db, { code, bill, createdAt: clock() });
    if ((known ?? (await findBillOfCode(db, bill.environment, code))) === bill.id) return code;
  }
  throw new Error(`all possible receipt codes of bill ${bill.id} belong to other bills`);
}

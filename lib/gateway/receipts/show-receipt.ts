import { findBillByLink } from '@/lib/gateway/bills/linked-bill';
import type { Bill } from '@/lib/gateway/bills/rules';
import { showLogo } from '@/lib/identity/merchants/brand-store';
import { baseUrl } from '@/lib/platform/config/settings';
import { isUuid } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import type { Environment } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { groupCode, type ReceiptPayment, receiptCodes, receiptStatus } from './rules';
import { findBillOfCode, listReceiptPayments, listReturns } from './store';

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
    if (known === undefined) {
      const { id: billId, merchantId, environment } = bill;
      // Changes nothing if the code or the bill already has a row.
      await db.prisma.receipt.createMany({ data: { code, merchantId, environment, billId, createdAt: clock() }, skipDuplicates: true });
    }
    if ((known ?? (await findBillOfCode(db, bill.environment, code))) === bill.id) return code;
  }
  throw new Error(`all possible receipt codes of bill ${bill.id} belong to other bills`);
}

/** What is drawn in the pictures of a bill and of its receipt. */
export type Pictured = NonNullable<Awaited<ReturnType<typeof showPictured>>>;

/**
 * Returns what is drawn in the pictures: a bill, its receipt if anything is paid, and the merchant's logo. Anybody who has the link of the
 * bill may see the pictures.
 */
export async function showPictured(
  runtime: Pick<Runtime, 'db' | 'secrets' | 'settings' | 'clock'>,
  environment: Environment,
  billId: string,
) {
  const bill = isUuid(billId) ? await findBillByLink(runtime.db, environment, billId) : undefined;
  if (!bill) return undefined;
  const { merchantId, logoHash, logoWidth, logoHeight } = bill;
  const logo = logoHash === null ? undefined : await showLogo(runtime, merchantId, logoHash);
  return {
    bill,
    receipt: await showReceipt(runtime, bill),
    returns: await listReturns(runtime.db, bill),
    logo: logo && logoWidth !== null && logoHeight !== null ? { ...logo, width: logoWidth, height: logoHeight } : undefined,
  };
}

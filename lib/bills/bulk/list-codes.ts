import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { webPayUrl } from '@/lib/bills/bill-json';
import { findBillRows, readListing } from '@/lib/bills/list/listing-store';
import { type Bill, remainingAmount } from '@/lib/bills/rules';
import { baseUrl } from '@/lib/config/settings';
import type { Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { readSelection, type SelectionProblem } from './selected-bills';

/** A bill with the link that its QR code contains. */
export interface BillCode {
  readonly bill: Bill;
  readonly remaining: Senti;
  readonly webPayUrl: string;
}

interface BillCodes {
  readonly codes: readonly BillCode[];
  /** The number of selected bills that are left out, because they are paid or closed, or because the member may not see them. */
  readonly omitted: number;
}

/** Returns the payable bills of a selection, in the order of the selection, to print their QR codes. */
export async function listBillCodes(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  access: MerchantAccess,
  billIds: readonly string[],
): Promise<Result<BillCodes, 'not_allowed' | SelectionProblem>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const selection = readSelection(billIds);
  if (!selection.ok) return selection;
  const ids = selection.value;
  const base = baseUrl(settings, access.scope.environment);
  const rows = await readListing(db, (tx) => findBillRows(tx, { ...access.scope, billsOf: access.billsOf }, ids));
  const found = new Map(rows.map((bill) => [bill.id, bill]));
  const codes = ids.flatMap((id) => {
    const bill = found.get(id);
    if (!bill || bill.closedAt !== null || bill.status === 'FULLY_PAID') return [];
    return [{ bill, remaining: remainingAmount(bill), webPayUrl: webPayUrl(base, bill.id) }];
  });
  return ok({ codes, omitted: ids.length - codes.length });
}

import type { MerchantAccess } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { isUuid } from '@/lib/core/ids';
import { listBillRows } from './listing-store';
import type { Bill, BillStatus } from './rules';

const PAGE_SIZE = 25;

export const BILL_STATUSES: readonly BillStatus[] = ['NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID'];

interface ListBillsOptions {
  /** The id of the last bill of the page before; anything else means the first page. */
  readonly before: string | null;
  readonly status: BillStatus | null;
}

export interface BillPage {
  readonly bills: readonly Bill[];
  /** What to ask for next, or null when these are the last. */
  readonly older: string | null;
}

/** @returns one page of a merchant's bills, newest first. */
export async function listBills(
  { db }: Pick<Runtime, 'db'>,
  { scope }: MerchantAccess,
  { before, status }: ListBillsOptions,
): Promise<BillPage> {
  const rows = await listBillRows(db, scope, { before: before !== null && isUuid(before) ? before : null, status, limit: PAGE_SIZE + 1 });
  const bills = rows.slice(0, PAGE_SIZE);
  return { bills, older: rows.length > PAGE_SIZE ? (bills.at(-1)?.id ?? null) : null };
}

export function isBillStatus(text: string | null): text is BillStatus {
  return BILL_STATUSES.some((status) => status === text);
}

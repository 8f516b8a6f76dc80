import { BILL_STATUSES } from '@/lib/gateway/bills/rules';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { findBrand } from '@/lib/identity/merchants/brand-store';
import type { Runtime } from '@/lib/platform/runtime/runtime';

/** How many customers are offered, and how many of the newest bills they are looked for in. */
const CUSTOMERS_MAX = 5;
const BILLS_READ = 30;

/** A customer of an earlier bill. At least one of the two values is not empty. */
export interface RecentCustomer {
  readonly name: string;
  readonly mobile: string;
}

/**
 * Returns what the page for a new bill shows: the merchant's brand and the customers of the newest bills, the last one first. Cashiers get
 * only the customers of their own bills. Null if the member may not create bills.
 */
export async function showNewBill({ db }: Pick<Runtime, 'db'>, access: MerchantAccess) {
  if (!may(access, 'bills.create')) return null;
  const { scope, billsOf } = access;
  const brand = await findBrand(db, scope.merchantId);
  const newest = (where: { readonly status?: (typeof BILL_STATUSES)[number]; readonly createdById?: string }) =>
    db.prisma.bill.findMany({
      where: { ...scope, ...where },
      select: { id: true, mobile: true, customerName: true },
      orderBy: { id: 'desc' },
      take: BILLS_READ,
    });
  // No index has all bills of a merchant by id. The newest bills of each status are found by an index, and so are those of a member.
  const lists = await Promise.all(
    billsOf === null ? BILL_STATUSES.map((status) => newest({ status })) : [newest({ createdById: billsOf })],
  );
  const bills = lists.flat().sort((one, other) => (one.id < other.id ? 1 : -1));
  return { brand, customers: customersOf(bills) };
}

/** Returns the different customers of bills. A customer without a number is identified by the name. */
function customersOf(
  bills: readonly { readonly mobile: string | null; readonly customerName: string | null }[],
): readonly RecentCustomer[] {
  const customers = new Map<string, RecentCustomer>();
  for (const { mobile, customerName } of bills) {
    const key = mobile ?? customerName;
    const known = key === null ? undefined : customers.get(key);
    if (key === null || (known && known.name !== '')) continue;
    if (known || customers.size < CUSTOMERS_MAX) customers.set(key, { name: customerName ?? '', mobile: mobile ?? '' });
  }
  return [...customers.values()];
}

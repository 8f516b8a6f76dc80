import { closeBill, reopenBill } from '@/lib/backoffice/bill-page/close-bill';
import { accessTo } from './actor';
import { pick } from './gateway-steps';
import type { World } from './world';

interface Choice {
  readonly bill: number;
}

const reason = 'the goods are gone';

/** Closes a bill, whatever is in progress for it. */
export async function close(world: World, { bill: index }: Choice): Promise<void> {
  const bill = pick(world.books.bills, index);
  if (bill) await closeBill(world.runtime, accessTo(bill), { billId: bill.id, reason });
}

/** Reopens a closed bill. */
export async function reopen(world: World, { bill: index }: Choice): Promise<void> {
  const closed = world.books.bills.filter(({ closed_at }) => closed_at !== null);
  const bill = pick(closed, index);
  if (bill) await reopenBill(world.runtime, accessTo(bill), { billId: bill.id, reason });
}

import { closeBill, reopenBill } from '@/lib/bills/page/close-bill';
import { pick } from './gateway-steps';
import type { World } from './world';

interface Choice {
  readonly bill: number;
}

const ACT = { whose: null, reason: 'the goods are gone', actor: 'model', address: null } as const;

/** Somebody closes a bill, whatever is under way for it. */
export async function close(world: World, { bill: index }: Choice): Promise<void> {
  const bill = pick(world.books.bills, index);
  if (bill) await closeBill(world.runtime, { ...ACT, billId: bill.id });
}

/** Somebody opens one again that is closed. */
export async function reopen(world: World, { bill: index }: Choice): Promise<void> {
  const closed = world.books.bills.filter(({ closed_at }) => closed_at !== null);
  const bill = pick(closed, index);
  if (bill) await reopenBill(world.runtime, { ...ACT, billId: bill.id });
}

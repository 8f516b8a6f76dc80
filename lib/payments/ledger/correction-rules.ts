import type { Senti } from '@/lib/core/money';
import type { Balance } from './balance-store';
import type { BillShare } from './correction-store';

interface Correction {
  /** The id of the payment or of one of its reversals. */
  readonly correctsId: string;
  /** The change of the amount, senti; negative if the present amount is too high. */
  readonly amount: Senti;
  /** For a payment, all its allocations so far. For a reversal, the amount that it takes from each bill after earlier corrections. */
  readonly had: readonly BillShare[];
}

/**
 * Decides how a correction changes bills. If a payment becomes smaller, it loses its unmatched part first, then its last allocations. The
 * same holds if a reversal becomes larger. If a payment becomes larger, its bill gets the surplus. But the surplus is unmatched if the
 * payment has no bill, several bills, or a part that is unmatched or refunded outside Bili. If a reversal becomes smaller, the part that was
 * refunded outside Bili comes back first. The bills that lost money by the reversal get the rest.
 * Returns the change of each bill; null if the reversals would exceed the payment.
 */
export function splitCorrection(
  { payment, allocated, kept, unmatched, marked, refundedOutside }: Balance,
  { correctsId, amount, had }: Correction,
): BillShare[] | null {
  const ofPayment = correctsId === payment.id;
  const money = ofPayment ? amount : -amount;
  if (money < 0n) {
    if (-money > kept) return null;
    const rest = -money - unmatched;
    return takeInOrder(allocated, rest > 0n ? rest : 0n).map((share) => ({ ...share, amount: -share.amount }));
  }
  if (!ofPayment) {
    const rest = money - (marked - refundedOutside);
    return takeInOrder(had, rest > 0n ? rest : 0n);
  }
  const bills = allocated.length > 0 ? allocated : had;
  const [bill, ...others] = bills;
  return bill && others.length === 0 && unmatched === 0n && marked === 0n ? [{ ...bill, amount: money }] : [];
}

/** Takes an amount from the shares in their order. */
function takeInOrder(shares: readonly BillShare[], amount: Senti): BillShare[] {
  const taken: BillShare[] = [];
  let left = amount;
  for (const share of shares) {
    if (left === 0n) break;
    const part = share.amount < left ? share.amount : left;
    taken.push({ ...share, amount: part });
    left -= part;
  }
  return taken;
}

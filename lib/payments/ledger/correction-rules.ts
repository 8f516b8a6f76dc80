import type { Senti } from '@/lib/core/money';
import type { Balance } from './balance-store';
import type { BillShare } from './correction-store';

interface Correction {
  /** The payment, or one of its reversals. */
  readonly correctsId: string;
  /** What is added to its amount, senti; negative when that was too much. */
  readonly amount: Senti;
  /** Of a payment: the bills that its money was ever attached to. Of a reversal: what bills lack because of it. */
  readonly had: readonly BillShare[];
}

/**
 * Decides what a correction changes on bills. Pure. Less money is taken off what is unmatched first, then off the bill that had
 * it last. More money of a payment goes to the one bill that has the others, and is unmatched if there is not exactly one. What a
 * reversal took too much goes back to the bills that it took it from.
 * @returns what each bill gets (negative: loses); null when less would be left than has gone back.
 */
export function splitCorrection(
  { payment, allocated, kept, unmatched }: Balance,
  { correctsId, amount, had }: Correction,
): BillShare[] | null {
  const ofPayment = correctsId === payment.id;
  const money = ofPayment ? amount : -amount;
  if (money < 0n) {
    if (-money > kept) return null;
    const rest = -money - unmatched;
    return deal(allocated, rest > 0n ? rest : 0n).map((share) => ({ ...share, amount: -share.amount }));
  }
  if (!ofPayment) return deal(had, money);
  const bills = allocated.length > 0 ? allocated : had;
  const [bill, ...others] = bills;
  return bill && others.length === 0 && unmatched === 0n ? [{ ...bill, amount: money }] : [];
}

/** Takes an amount from shares, one after the other, as far as they go. */
function deal(shares: readonly BillShare[], amount: Senti): BillShare[] {
  const dealt: BillShare[] = [];
  let left = amount;
  for (const share of shares) {
    if (left === 0n) break;
    const part = share.amount < left ? share.amount : left;
    dealt.push({ ...share, amount: part });
    left -= part;
  }
  return dealt;
}

import type { Senti } from '@/lib/platform/core/money';

/** Where the money of a ledger entry came from or went to: through the provider, or through the hands of a person. */
export type PaymentSource = 'provider' | HandSource;

/** How money passes through the hands of a person: in cash, by a transfer or slip of a bank, or in another way. */
export const HAND_SOURCES = ['cash', 'bank', 'other'] as const;
export const PAYMENT_SOURCES = ['provider', ...HAND_SOURCES] as const;
export type HandSource = (typeof HAND_SOURCES)[number];

/** Maximum length of the number of a slip, characters. */
export const SLIP_MAX = 40;

/** A part of a payment that a bill has, gains or loses. The amount is senti. */
export interface BillShare {
  readonly billId: string;
  readonly merchantId: string;
  readonly amount: Senti;
}

/** What the rules need of the `Balance` of a payment. Amounts are senti. */
interface PaymentBalance {
  readonly payment: { readonly id: string; readonly transactionId: string };
  readonly reversals: readonly {
    readonly id: string;
    readonly transactionId: string;
    readonly laterReceipt: string | null;
    readonly amount: Senti;
  }[];
  readonly allocated: readonly BillShare[];
  readonly kept: Senti;
  readonly left: Senti;
  readonly unmatched: Senti;
  readonly refunds: readonly { readonly id: string }[];
  readonly overRefunded: Senti;
}

type Split =
  /** The reversal is new. `taken` contains the amounts that the reversal takes from bills. */
  | {
      readonly kind: 'booked';
      readonly amount: Senti;
      readonly taken: readonly BillShare[];
    }
  /**
   * The ledger already has the reversal. `identified` is not null if the reversal was booked without a receipt number of its own, and the
   * provider now reports this number.
   */
  | { readonly kind: 'known'; readonly identified: IdentifiedReversal | null }
  /** The reversal was booked without a receipt number, and the provider now reports the number with another amount. */
  | { readonly kind: 'differs'; readonly identified: IdentifiedReversal }
  /** The reversals would exceed the payment. */
  | { readonly kind: 'exceeds' };

interface IdentifiedReversal {
  readonly reversalId: string;
  readonly receipt: string;
}

interface ReportedReversal {
  /** Senti; null if the provider does not give the reversed amount. */
  readonly amount: Senti | null;
  /** The amount of an open request to reverse the payment, senti; null without such a request. */
  readonly requested: Senti | null;
  /** The bill whose money was to go back; null if none was named. */
  readonly billId: string | null;
  readonly reversalTransactionId: string | null;
}

/**
 * Decides what a reported reversal changes on a payment.
 * - A report without amount and receipt number is already known if the payment has any reversal.
 * - The ledger stores a reversal without a receipt number of its own under the receipt number of the payment. If the provider later reports
 * a receipt number with the same amount or without an amount, that number belongs to the stored reversal. A further number belongs to a new
 * reversal.
 * - If nothing of the payment is left to reverse, the first reported number belongs to the stored reversal, even if the amounts differ.
 */
export function splitReversal(
  { payment, reversals, allocated, kept, unmatched }: PaymentBalance,
  { amount, requested, billId, reversalTransactionId: receipt }: ReportedReversal,
): Split {
  const known = { kind: 'known', identified: null } as const;
  const withoutReceipt = reversals.find(({ transactionId }) => transactionId === payment.transactionId);
  if (receipt === null) {
    if (withoutReceipt || (reversals.length > 0 && amount === null)) return known;
  } else {
    if (reversals.some(({ transactionId, laterReceipt }) => transactionId === receipt || laterReceipt === receipt)) return known;
    if (withoutReceipt?.laterReceipt === null) {
      const identified = { reversalId: withoutReceipt.id, receipt };
      if (amount === null || amount === withoutReceipt.amount) return { kind: 'known', identified };
      if (kept === 0n) return { kind: 'differs', identified };
    }
  }
  const reversed = amount ?? requested ?? kept;
  if (reversed === 0n || reversed > kept) return { kind: 'exceeds' };

  return { kind: 'booked', amount: reversed, taken: takeBack({ allocated, unmatched }, reversed, billId) };
}

/**
 * Returns the amounts that bills lose when money of a payment goes back: first the bill that is named, then no bill as far as money is
 * unmatched, then the bills that got money last.
 */
export function takeBack(
  { allocated, unmatched }: Pick<PaymentBalance, 'allocated' | 'unmatched'>,
  amount: Senti,
  billId: string | null,
): BillShare[] {
  const named = takeInOrder(
    allocated.filter((share) => share.billId === billId),
    amount,
  );
  const rest = amount - named.reduce((sum, share) => sum + share.amount, 0n) - unmatched;
  const others = allocated.filter((share) => share.billId !== billId);
  return [...named, ...takeInOrder(others, rest > 0n ? rest : 0n)];
}

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
 * payment has no bill, several bills, or a part that is unmatched or refunded. If a reversal becomes smaller, the part that went back another
 * way comes back first. The bills that lost money by the reversal get the rest. A refund is corrected like a reversal.
 * Returns the change of each bill; null if the reversals would exceed the payment.
 */
export function splitCorrection(
  { payment, allocated, kept, left, unmatched, refunds, overRefunded }: PaymentBalance,
  { correctsId, amount, had }: Correction,
): BillShare[] | null {
  const ofPayment = correctsId === payment.id;
  const money = ofPayment ? amount : -amount;
  if (money < 0n) {
    // Money that went back by hand may have been reversed as well, but it cannot go back by hand twice.
    if (-money > (refunds.some(({ id }) => id === correctsId) ? left : kept)) return null;
    const rest = -money - unmatched;
    return takeInOrder(allocated, rest > 0n ? rest : 0n).map((share) => ({ ...share, amount: -share.amount }));
  }
  if (!ofPayment) {
    const rest = money - overRefunded;
    return takeInOrder(had, rest > 0n ? rest : 0n);
  }
  const bills = allocated.length > 0 ? allocated : had;
  const [bill, ...others] = bills;
  return bill && others.length === 0 && unmatched === 0n && refunds.length === 0 ? [{ ...bill, amount: money }] : [];
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

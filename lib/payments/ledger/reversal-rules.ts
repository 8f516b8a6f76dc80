import type { Senti } from '@/lib/core/money';
import type { Balance } from './balance-store';

type Split =
  /** The reversal is new. `taken` contains the amounts that the reversal takes from bills. */
  | {
      readonly kind: 'booked';
      readonly amount: Senti;
      readonly taken: readonly { readonly billId: string; readonly merchantId: string; readonly amount: Senti }[];
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
  { payment, reversals, allocated, kept, unmatched }: Balance,
  { amount, requested, reversalTransactionId: receipt }: ReportedReversal,
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

  const taken: { billId: string; merchantId: string; amount: Senti }[] = [];
  // What was refunded outside Bili is gone, so the provider's reversal takes from bills before it takes from that part.
  let left = reversed - (reversed < unmatched ? reversed : unmatched);
  for (const { billId, merchantId, amount: held } of allocated) {
    if (left === 0n) break;
    const take = held < left ? held : left;
    taken.push({ billId, merchantId, amount: take });
    left -= take;
  }
  return { kind: 'booked', amount: reversed, taken };
}

import type { Senti } from '@/lib/core/money';
import type { Balance } from './balance-store';

type Split =
  /** The reversal is new. `taken` contains the amounts that it takes from bills. */
  | {
      readonly kind: 'booked';
      readonly amount: Senti;
      readonly taken: readonly { readonly billId: string; readonly merchantId: string; readonly amount: Senti }[];
    }
  /** The ledger has the reversal. `identified`: the reversal was booked without a receipt number, and the report contains the number. */
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
 * - A reversal that was booked without a receipt number has the payment's number. The first number that the provider reports later with the
 * same amount belongs to this reversal. A second number belongs to a new reversal.
 * - If nothing of the payment is left to reverse, the first number belongs to this reversal, whatever amount is reported with it.
 */
export function splitReversal(
  { payment, reversals, allocated, kept, unmatched, refundedOutside }: Balance,
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
  // The unmatched part of a payment that is refunded outside Bili is gone. The provider's reversal then takes from the bills only.
  let left = refundedOutside ? least(reversed, kept - unmatched) : reversed - least(reversed, unmatched);
  for (const { billId, merchantId, amount: held } of allocated) {
    if (left === 0n) break;
    const take = held < left ? held : left;
    taken.push({ billId, merchantId, amount: take });
    left -= take;
  }
  return { kind: 'booked', amount: reversed, taken };
}

function least(one: Senti, other: Senti): Senti {
  return one < other ? one : other;
}

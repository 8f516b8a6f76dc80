import type { Senti } from '@/lib/core/money';
import type { Balance } from './balance-store';

/** What a reversal takes, and from which bills; or that the ledger has it already, with this amount or another; or that it is more than there is. */
type Split =
  | {
      readonly kind: 'booked';
      readonly amount: Senti;
      readonly taken: readonly { readonly billId: string; readonly merchantId: string; readonly amount: Senti }[];
    }
  /** `named`: the reversal that was booked without a receipt, and has this one. */
  | { readonly kind: 'known'; readonly named: Named | null }
  /** It is the reversal that was booked without a receipt, and the provider now names another amount. */
  | { readonly kind: 'differs'; readonly named: Named }
  | { readonly kind: 'exceeds' };

interface Named {
  readonly reversalId: string;
  readonly receipt: string;
}

interface Told {
  /** Senti; null when the provider says that it went back and not how much. */
  readonly amount: Senti | null;
  /** Senti that it was asked to send back, while that is not settled; else null. */
  readonly asked: Senti | null;
  readonly reversalTransactionId: string | null;
}

/**
 * Decides what a reversal does to a payment. Pure. A provider that names neither amount nor receipt says only that something
 * went back: once something has, that is no news. One that was booked without a receipt has the payment's own; the first
 * receipt that comes later with the same amount is its name, so that it is known and the next one is not. Where nothing is left
 * that another reversal could have taken, the first receipt is its name with any amount.
 */
export function splitReversal({ payment, reversals, allocated, kept, unmatched, refundedOutside }: Balance, told: Told): Split {
  const { amount, asked, reversalTransactionId: receipt } = told;
  const known = { kind: 'known', named: null } as const;
  const nameless = reversals.find(({ transactionId }) => transactionId === payment.transactionId);
  if (receipt === null) {
    if (nameless || (reversals.length > 0 && amount === null)) return known;
  } else {
    if (reversals.some(({ transactionId, laterReceipt }) => transactionId === receipt || laterReceipt === receipt)) return known;
    if (nameless?.laterReceipt === null) {
      const named = { reversalId: nameless.id, receipt };
      if (amount === null || amount === nameless.amount) return { kind: 'known', named };
      if (kept === 0n) return { kind: 'differs', named };
    }
  }
  const back = amount ?? asked ?? kept;
  if (back === 0n || back > kept) return { kind: 'exceeds' };

  const taken: { billId: string; merchantId: string; amount: Senti }[] = [];
  // What is refunded outside is gone already: the provider's reversal is of the rest, as far as that goes.
  let left = refundedOutside ? least(back, kept - unmatched) : back - least(back, unmatched);
  for (const { billId, merchantId, amount: held } of allocated) {
    if (left === 0n) break;
    const take = held < left ? held : left;
    taken.push({ billId, merchantId, amount: take });
    left -= take;
  }
  return { kind: 'booked', amount: back, taken };
}

function least(one: Senti, other: Senti): Senti {
  return one < other ? one : other;
}

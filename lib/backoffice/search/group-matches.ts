import type { BillInfo } from '@/lib/gateway/bills/bill-info';
import type { Bill } from '@/lib/gateway/bills/rules';
import { findFragment, fold, type Mark } from './fold';

/** A bill with the texts by which people search for it. */
export type SearchedBill = Bill & Pick<BillInfo, 'customerName'>;

/**
 * Which text of a bill matched. `payment`: our reference of an attempt or an instrument. `code`: the code on a Bili receipt. `receipt`: the
 * provider's receipt number. `number`: the number of an instrument, also of one that has ended.
 */
export const MATCH_KINDS = ['id', 'payment', 'mobile', 'reference', 'customer', 'receipt', 'number', 'code', 'amount'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

export interface Match {
  readonly kind: MatchKind;
  readonly bill: SearchedBill;
  /** The text that matched. Empty for an amount. */
  readonly value: string;
  /** The part of `value` that equals the typed text; null if this part is not known. */
  readonly mark: Mark | null;
}

/**
 * Returns a match in which the typed text is marked.
 * @param text.value the text that matched
 * @param text.part the typed text, which is a part of `value`
 */
export function matchOf(kind: MatchKind, bill: SearchedBill, { value, part }: { readonly value: string; readonly part: string }): Match {
  const fragment = fold(part);
  // A mobile number matches by its end or its beginning. So its end is marked even if the same digits also occur earlier.
  return { kind, bill, value, mark: findFragment(value, fragment, { last: kind === 'mobile' && value.endsWith(fragment) }) };
}

export interface FoundGroup {
  readonly kind: MatchKind;
  /** Matches of a complete value come before matches of a part of a value. In each of these two groups, the newest bills come first. */
  readonly matches: readonly Match[];
  /** Whether more bills match than are shown. */
  readonly more: boolean;
}

/** Groups matches by their kind. A bill is shown at most once in each group. */
export function groupMatches(matches: readonly Match[], shown: number): FoundGroup[] {
  return MATCH_KINDS.flatMap((kind) => {
    const found = new Map(matches.filter((match) => match.kind === kind).map((match) => [match.bill.id, match] as const));
    const sorted = [...found.values()].sort((a, b) => Number(isComplete(b)) - Number(isComplete(a)) || (a.bill.id < b.bill.id ? 1 : -1));
    return sorted.length === 0 ? [] : [{ kind, matches: sorted.slice(0, shown), more: sorted.length > shown }];
  });
}

function isComplete({ value, mark }: Match): boolean {
  return mark !== null && mark.from === 0 && mark.to === value.length;
}

import { type BillStatus, isOverpaid } from '@/lib/bills/rules';
import type { FoundGroup, Match, MatchKind } from '@/lib/bills/search/group-matches';
import { readMobile } from '@/lib/core/mobile';
import { formatDecimal } from '@/lib/core/money';
import { formatMoney, formatRecent } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

/** A text whose matching part is between two other parts. */
export type Marked = readonly [before: string, match: string, after: string];

/** A found bill as translated texts. */
export interface FoundRow {
  readonly id: string;
  readonly reference: Marked;
  /** The text in which the search found the typed text; null if this is the reference or the amount. */
  readonly value: Marked | null;
  /** The name of the customer; null if it is not known, or if `value` already is this name. */
  readonly customer: string | null;
  readonly amount: string;
  /** Whether the amount matched. */
  readonly amountMatches: boolean;
  readonly status: BillStatus;
  readonly statusText: string;
  readonly overpaid: boolean;
  readonly created: string;
}

export interface FoundRows {
  readonly kind: MatchKind;
  readonly title: string;
  readonly rows: readonly FoundRow[];
  /** Whether more bills match than are shown. */
  readonly more: boolean;
  /** The page that lists more bills of this group, with its query. Null if there are no more, or if the current page is that page. */
  readonly all: { readonly page: 'bills' | 'search'; readonly query: string } | null;
}

interface FoundRowsOptions {
  readonly typed: string;
  /** Whether the page shows only this group. */
  readonly alone?: boolean;
  readonly now: Date;
  readonly locale: Locale;
}

export function foundRows({ kind, matches, more }: FoundGroup, { typed, alone = false, now, locale }: FoundRowsOptions): FoundRows {
  const t = translator(locale, 'Search');
  const rows = matches.map((match) => foundRow(match, now, locale));
  return { kind, title: t(`by_${kind}`), rows, more, all: more && !alone ? moreOf(kind, matches, typed.trim()) : null };
}

function foundRow({ kind, bill, value, mark }: Match, now: Date, locale: Locale): FoundRow {
  const { id, reference, customerName, amount, status, createdAt } = bill;
  const marked: Marked = mark ? [value.slice(0, mark.from), value.slice(mark.from, mark.to), value.slice(mark.to)] : [value, '', ''];
  return {
    id,
    reference: kind === 'reference' ? marked : [reference, '', ''],
    value: kind === 'reference' || kind === 'amount' ? null : marked,
    customer: kind === 'customer' ? null : customerName,
    amount: formatMoney(amount),
    amountMatches: kind === 'amount',
    status,
    statusText: translator(locale, 'Status')(status),
    overpaid: isOverpaid(bill),
    created: formatRecent(createdAt, now, locale),
  };
}

/**
 * Returns the page that shows more bills of a group. This is the bill list if one of its filters finds exactly the same bills, because that
 * list also shows sums. Otherwise it is the search page with only this group.
 */
function moreOf(kind: MatchKind, matches: readonly Match[], typed: string): FoundRows['all'] {
  const [first] = matches;
  if (first && kind === 'amount') {
    const amount = formatDecimal(first.bill.amount);
    return { page: 'bills', query: `${new URLSearchParams({ least: amount, most: amount })}` };
  }
  if (first && kind === 'mobile' && readMobile(typed) === first.value)
    return { page: 'bills', query: `${new URLSearchParams({ mobile: first.value })}` };
  return { page: 'search', query: `${new URLSearchParams({ q: typed, kind })}` };
}

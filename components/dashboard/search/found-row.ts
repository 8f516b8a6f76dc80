import type { Marked } from '@/components/ui/marked';
import type { FoundGroup, Match, MatchKind } from '@/lib/backoffice/search/group-matches';
import { isOverpaid } from '@/lib/gateway/bills/rules';
import { readMobile } from '@/lib/platform/core/mobile';
import { formatDecimal } from '@/lib/platform/core/money';
import { formatMoney, formatRecent } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** A found bill as translated texts. */
export type FoundRow = ReturnType<typeof foundRow>;
export type FoundRows = ReturnType<typeof foundRows>;

interface FoundRowsOptions {
  readonly typed: string;
  /** Whether the page shows only this group. */
  readonly alone?: boolean;
  readonly now: Date;
  readonly locale: Locale;
}

export function foundRows({ kind, matches, more }: FoundGroup, { typed, alone = false, now, locale }: FoundRowsOptions) {
  const t = translator(locale, 'Search');
  const rows = matches.map((match) => foundRow(match, now, locale));
  // `more`: whether more bills match than are shown. `all`: the page that lists them; null if there are no more, or if the current page is
  // that page.
  return { kind, title: t(`by_${kind}`), rows, more, all: more && !alone ? moreOf(kind, matches, typed.trim()) : null };
}

function foundRow({ kind, bill, value, mark }: Match, now: Date, locale: Locale) {
  const { id, reference, customerName, amount, status, createdAt } = bill;
  const marked: Marked = mark ? [value.slice(0, mark.from), value.slice(mark.from, mark.to), value.slice(mark.to)] : [value, '', ''];
  const plain: Marked = [reference, '', ''];
  return {
    id,
    reference: kind === 'reference' ? marked : plain,
    /** The text in which the search found the typed text; null if this is the reference or the amount. */
    value: kind === 'reference' || kind === 'amount' ? null : marked,
    valueOf: kind === 'customer' ? ('customer' as const) : ('other' as const),
    /** The name of the customer; null if it is not known, or if `value` already is this name. */
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
function moreOf(kind: MatchKind, matches: readonly Match[], typed: string): { readonly page: 'bills' | 'search'; readonly query: string } {
  const [first] = matches;
  if (first && kind === 'amount') {
    const amount = formatDecimal(first.bill.amount);
    return { page: 'bills', query: `${new URLSearchParams({ least: amount, most: amount })}` };
  }
  if (first && kind === 'mobile' && readMobile(typed) === first.value)
    return { page: 'bills', query: `${new URLSearchParams({ mobile: first.value })}` };
  return { page: 'search', query: `${new URLSearchParams({ q: typed, kind })}` };
}

import { Nav } from '@/components/ui/nav';
import { inTab, tabOf } from '@/lib/bills/list/bill-tabs';
import type { BillQuery } from '@/lib/bills/list/filter';
import type { TabCount } from '@/lib/bills/list/summarize-list';
import { groupDigits } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { listAddress } from './describe-filter';

interface BillTabsProps {
  readonly path: string;
  readonly query: BillQuery;
  readonly tabs: readonly TabCount[];
  readonly locale: Locale;
}

/** One tab for each state of bills, with the number of bills in this state that match the rest of the filter. */
export function BillTabs({ path, query, tabs, locale }: BillTabsProps) {
  const t = translator(locale, 'BillTabs');
  const current = tabOf(query.filter);
  const items = tabs.map(({ tab, count, more }) => ({
    href: listAddress(path, { ...query, filter: inTab(query.filter, tab) }),
    text: t(tab),
    current: tab === current,
    count: countText(count, more),
  }));
  return <Nav look="tabs" oneLine label={t('label')} items={items} />;
}

/**
 * Returns a number of bills as a text, for example `1,234`. If there may be more bills than `count`, returns a lower limit, for example
 * `1,900+`. Returns undefined if `count` is 0 and there may be more, because then nothing is known.
 */
function countText(count: number, more: boolean): string | undefined {
  if (!more) return groupDigits(BigInt(count));
  if (count === 0) return undefined;
  const certain = count >= 100 ? count - (count % 100) : count;
  return `${groupDigits(BigInt(certain))}+`;
}

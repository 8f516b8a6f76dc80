import type { Senti } from '@/lib/core/money';
import type { Queryable } from '@/lib/db/database';
import { BILL_TABS, type BillTab, tabOf } from './bill-tabs';
import { LIMITS } from './listing-limits';
import type { BillSelection } from './listing-sql';
import type { Plan } from './listing-statements';
import { IN_ANY_ORDER, IN_ORDER, planListing } from './listing-store';
import { newestOfTabsStatement, selectTab, summaryStatement, totalsStatement } from './summary-statements';

/** The sums of all bills of a list. */
export interface ListTotals {
  readonly count: number;
  readonly amount: Senti;
  readonly paid: Senti;
  /** What is left to pay on bills that are not closed. */
  readonly outstanding: Senti;
}

/** The number of bills in a tab. If `more` is true, there are too many bills to count, and `count` is only a lower limit. */
export interface TabCount {
  readonly tab: BillTab;
  readonly count: number;
  readonly more: boolean;
}

export interface ListSummary {
  /** Null if there are too many bills to add up. */
  readonly totals: ListTotals | null;
  readonly tabs: readonly TabCount[];
}

/**
 * Returns the totals of a list and the number of bills in each tab. The numbers of the tabs use all filters of the list except the tab. If
 * few bills match, one query reads them all. Otherwise only the newest bills of each tab are read, so that the cost does not grow with the
 * number of bills.
 * @param plan the plan by which the bills of the list are read
 */
export async function summarizeList(tx: Queryable, selection: BillSelection, plan: Plan, limits = LIMITS): Promise<ListSummary> {
  const inAll = tabOf(selection.filter) === 'all';
  const around = inAll ? plan : await planListing(tx, selectTab(selection, 'all'), 'created', limits);
  await IN_ANY_ORDER.rows(tx, {});
  if (around.countable) {
    const { statement, values } = summaryStatement(selection, around.scan);
    const row = await statement.first(tx, values);
    if (!row) throw new Error('the sums of a list have no row');
    const { tabs: counts, ...totals } = row;
    return { totals, tabs: BILL_TABS.map((tab, index) => ({ tab, count: counts[index] ?? 0, more: false })) };
  }
  const sums = plan.countable ? totalsStatement(selection, plan.scan) : null;
  const totals = sums && ((await sums.statement.first(tx, sums.values)) ?? null);
  const { statement, values } = newestOfTabsStatement(selection, limits.tabCandidates);
  await IN_ORDER.rows(tx, {});
  const counts = (await statement.first(tx, values))?.counts ?? [];
  const own = tabOf(selection.filter);
  const tabs = BILL_TABS.map((tab, index) => {
    if (tab === own && totals) return { tab, count: totals.count, more: false };
    if (tab === own && plan.exact && !plan.countable) return { tab, count: limits.sortedMax, more: true };
    return { tab, count: counts[2 * index + 1] ?? 0, more: counts[2 * index] === limits.tabCandidates };
  });
  return { totals, tabs };
}

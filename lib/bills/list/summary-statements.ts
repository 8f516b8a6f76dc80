import { billById } from '@/lib/bills/store';
import { array, int4, int8 } from '@/lib/db/sql-types';
import { variant } from '@/lib/db/statement';
import { BILL_TABS, type BillTab, inTab } from './bill-tabs';
import { ALL_BILLS } from './filter';
import { type IndexScan, indexScans } from './index-scans';
import { type BillSelection, conditions, parameters, tabCondition } from './listing-sql';

/** Returns the selection of another tab of the list. All conditions except the tab stay the same. */
export function selectTab(selection: BillSelection, tab: BillTab): BillSelection {
  return { ...selection, filter: inTab(selection.filter, tab) };
}

/**
 * Returns the statement that counts the bills of each tab and adds up the bills of the list. It reads each bill that the scan finds once.
 * @param selection the list, with its tab and all other conditions
 * @param scan finds at least all bills that meet the conditions of the list except the tab
 */
export function summaryStatement(selection: BillSelection, scan: IndexScan) {
  const { values, types, param } = parameters();
  const counts = BILL_TABS.map((tab) => `(count(*) FILTER (WHERE ${tabCondition(inTab(selection.filter, tab), param)}))::int`);
  const listed = tabCondition(selection.filter, param);
  const text = `SELECT ARRAY[${counts.join(', ')}] AS tabs, ${sums('b.listed')}
    FROM (SELECT DISTINCT id FROM (${scan.sql(param)}) found) scan
    CROSS JOIN LATERAL (SELECT *, ${listed} AS listed FROM ${billById('scan.id')}
      WHERE ${conditions(selectTab(selection, 'all'), param)} LIMIT 1) b`;
  return {
    values,
    statement: variant({ name: 'sum up a list and its tabs', text, parameters: types, columns: { tabs: array(int4), ...SUMS } }),
  };
}

/** Returns the statement that adds up the bills of a list. */
export function totalsStatement(selection: BillSelection, scan: IndexScan) {
  const { values, types, param } = parameters();
  const text = `SELECT ${sums('true')} FROM (SELECT DISTINCT id FROM (${scan.sql(param)}) found) scan
    CROSS JOIN LATERAL (SELECT * FROM ${billById('scan.id')} WHERE ${conditions(selection, param)} LIMIT 1) b`;
  return { values, statement: variant({ name: 'sum up a list', text, parameters: types, columns: SUMS }) };
}

const SUMS = { count: int4, amount: int8, paid: int8, outstanding: int8 };

/**
 * Returns the sums of the bills that meet a condition. The remaining amount of a closed bill does not count, because nobody waits for it.
 */
function sums(condition: string): string {
  const sum = (value: string, of = condition) => `coalesce(sum(${value}) FILTER (WHERE ${of}), 0)::bigint`;
  return `(count(*) FILTER (WHERE ${condition}))::int AS count, ${sum('b.amount')} AS amount, ${sum('b.paid_amount')} AS paid,
    ${sum('greatest(b.amount - b.paid_amount, 0)', `${condition} AND b.closed_at IS NULL`)} AS outstanding`;
}

/**
 * Returns the statement that reads, for each tab, the newest bills of the index scan for the tab. These are only candidates, because the
 * scan may also find bills that do not match. `counts` has two numbers for each tab: how many candidates were read, and how many of them
 * match.
 */
export function newestOfTabsStatement(selection: BillSelection, candidates: number) {
  const { values, types, param } = parameters();
  const tabs = BILL_TABS.map((tab) => {
    const newest = `SELECT id FROM (${scanOfTab(selection, tab).sql(param, 'DESC')}) found ORDER BY id DESC LIMIT ${candidates}`;
    return `(SELECT count(*)::int AS read, (count(DISTINCT newest.id) FILTER (WHERE b.hit))::int AS count FROM (${newest}) newest
      LEFT JOIN LATERAL (SELECT true AS hit FROM ${billById('newest.id')}
        WHERE ${conditions(selectTab(selection, tab), param)} LIMIT 1) b ON true) ${tab}_tab`;
  });
  const text = `SELECT ARRAY[${BILL_TABS.map((tab) => `${tab}_tab.read, ${tab}_tab.count`).join(', ')}] AS counts FROM ${tabs.join(' CROSS JOIN ')}`;
  return {
    values,
    statement: variant({ name: 'count the newest bills of each tab', text, parameters: types, columns: { counts: array(int4) } }),
  };
}

/**
 * Returns the index scan that finds a tab's bills in the order of their ids. It uses only the tab and the scope. All other conditions are
 * left out, because an index scan for such a condition may have another order.
 */
function scanOfTab(selection: BillSelection, tab: BillTab): IndexScan {
  const filter = inTab({ ...ALL_BILLS, by: selection.filter.by }, tab);
  const scan = indexScans({ ...selection, filter }).find(({ ordered }) => ordered === 'created');
  if (!scan) throw new Error(`no index scan of the tab ${tab} has the order of the ids`);
  return scan;
}

import type { BillFilter } from './filter';

/** The tabs above the list, in their order. Each is a filter that shops use every day. */
export const BILL_TABS = ['all', 'not_paid', 'part_paid', 'paid', 'overpaid', 'failed', 'closed'] as const;
export type BillTab = (typeof BILL_TABS)[number];

/** The conditions that a tab sets. All other conditions of a filter apply to every tab. */
const TAB_FIELDS = ['statuses', 'closed', 'overpaid', 'lastFailed'] as const;
export type TabFilter = Pick<BillFilter, (typeof TAB_FIELDS)[number]>;

const ALL: TabFilter = { statuses: [], closed: null, overpaid: false, lastFailed: false };

/** Closed bills are not in the tabs of unpaid bills, because nobody waits for their money. */
const TAB_FILTERS: Readonly<Record<BillTab, TabFilter>> = {
  all: ALL,
  not_paid: { ...ALL, statuses: ['NOT_PAID'], closed: false },
  part_paid: { ...ALL, statuses: ['PARTIALLY_PAID'], closed: false },
  paid: { ...ALL, statuses: ['FULLY_PAID'] },
  overpaid: { ...ALL, overpaid: true },
  failed: { ...ALL, lastFailed: true },
  closed: { ...ALL, closed: true },
};

/** Returns a copy of a filter in which the conditions of `TAB_FIELDS` are those of a tab. */
export function inTab(filter: BillFilter, tab: BillTab): BillFilter {
  return { ...filter, ...TAB_FILTERS[tab] };
}

/** Returns the tab of a filter; null if no tab has its conditions. */
export function tabOf(filter: TabFilter): BillTab | null {
  return BILL_TABS.find((tab) => TAB_FIELDS.every((field) => String(filter[field]) === String(TAB_FILTERS[tab][field]))) ?? null;
}

import { BILL_STATUSES, type BillStatus } from '@/lib/bills/rules';
import type { Mobile } from '@/lib/core/mobile';
import { formatDecimal, type Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';
import type { Period } from './period';

export const SORTS = ['newest', 'oldest', 'largest', 'smallest'] as const;
export const PAGE_SIZES = [25, 50, 100] as const;

type Sort = (typeof SORTS)[number];
type PageSize = (typeof PAGE_SIZES)[number];

/** Which bills: each member narrows them, and what is null, empty or false does not. */
export interface BillFilter {
  readonly statuses: readonly BillStatus[];
  readonly closed: boolean | null;
  readonly period: Period | null;
  /** What the period is about; of `paid`, bills that are not fully paid are in none. */
  readonly by: 'created' | 'paid';
  /** Senti, both included. */
  readonly least: Senti | null;
  readonly most: Senti | null;
  /** Of any of its prompts. */
  readonly network: Network | null;
  /** How it begins. */
  readonly reference: string | null;
  /** Of any of its prompts; a bill that is made with a number has one. */
  readonly mobile: Mobile | null;
  /** Has a prompt that failed or ran out. */
  readonly failed: boolean;
  /** Has a prompt that nobody knows the end of. */
  readonly unknown: boolean;
  /** Was paid more than was asked for. */
  readonly overpaid: boolean;
}

/** What a list shows: which bills, in which order, how many on a page. */
export interface BillQuery {
  readonly filter: BillFilter;
  readonly sort: Sort;
  readonly size: PageSize;
}

export const ALL_BILLS: BillFilter = {
  statuses: [],
  closed: null,
  period: null,
  by: 'created',
  least: null,
  most: null,
  network: null,
  reference: null,
  mobile: null,
  failed: false,
  unknown: false,
  overpaid: false,
};

export type QueryField =
  | 'status'
  | 'state'
  | 'period'
  | 'from'
  | 'to'
  | 'by'
  | 'least'
  | 'most'
  | 'network'
  | 'reference'
  | 'mobile'
  | 'sort'
  | 'size';

/** Pure. @returns the shortest address that asks for the same, without a page: two that ask for the same are equal. */
export function formatBillQuery({ filter, sort, size }: BillQuery): URLSearchParams {
  const { period } = filter;
  const pairs: (readonly [QueryField | 'failed' | 'unknown' | 'overpaid', string | null | false])[] = [
    ...filter.statuses.map((status) => ['status', status] as const),
    ['state', filter.closed !== null && (filter.closed ? 'closed' : 'open')],
    ['period', typeof period === 'string' && period],
    ['from', typeof period === 'object' && period !== null && period.from],
    ['to', typeof period === 'object' && period !== null && period.to],
    ['by', filter.by !== 'created' && filter.by],
    ['least', filter.least !== null && formatShillings(filter.least)],
    ['most', filter.most !== null && formatShillings(filter.most)],
    ['network', filter.network],
    ['reference', filter.reference],
    ['mobile', filter.mobile],
    ['failed', filter.failed && '1'],
    ['unknown', filter.unknown && '1'],
    ['overpaid', filter.overpaid && '1'],
    ['sort', sort !== 'newest' && sort],
    ['size', size !== PAGE_SIZES[0] && String(size)],
  ];
  return new URLSearchParams(pairs.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

/** Pure. @returns whether every bill is meant. */
export function isUnfiltered(filter: BillFilter): boolean {
  return formatBillQuery({ filter, sort: 'newest', size: PAGE_SIZES[0] }).size === 0;
}

export function isBillStatus(text: string | null): text is BillStatus {
  return BILL_STATUSES.some((status) => status === text);
}

/** @returns `5000`, or `5000.50`. */
export function formatShillings(amount: Senti): string {
  return formatDecimal(amount).replace(/\.00$/, '');
}

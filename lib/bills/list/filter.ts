import { BILL_STATUSES, type BillStatus } from '@/lib/bills/rules';
import type { Mobile } from '@/lib/core/mobile';
import { formatDecimal, type Senti } from '@/lib/core/money';
import type { Network } from '@/lib/core/network';
import { FAILURE_REASONS, type FailureReason } from '@/lib/providers/port/outcome';
import type { Period } from './period';

export const SORTS = ['newest', 'oldest', 'largest', 'smallest'] as const;
export const PAGE_SIZES = [25, 50, 100] as const;

/**
 * Why a payment request ended without a payment. `no_answer`: the prompt expired, or the network says that the customer did not answer in
 * time. `none`: the request failed, and no reason is known.
 */
export type RequestReason = Exclude<FailureReason, 'user_timeout'> | 'no_answer' | 'none';
export const REQUEST_REASONS: readonly RequestReason[] = [
  ...FAILURE_REASONS.filter((reason) => reason !== 'user_timeout'),
  'no_answer',
  'none',
];

/**
 * Which instant a period applies to: creation, full payment, the booking of any payment (`received`), the end of an attempt (`ended`), or
 * the due date. With `received` and `ended`, the other conditions about attempts must hold for the same payment or attempt.
 */
export const PERIOD_BASES = ['created', 'paid', 'received', 'ended', 'due'] as const;
type PeriodBasis = (typeof PERIOD_BASES)[number];

/**
 * Selects bills that meet all conditions. A field with null, false or an empty list is no condition. Exceptions: `closed: false` selects
 * bills that are not closed, and `checks: false` leaves out the bills that checks of the webhook receiver created.
 */
export interface BillFilter {
  readonly statuses: readonly BillStatus[];
  readonly closed: boolean | null;
  readonly period: Period | null;
  readonly by: PeriodBasis;
  /** The smallest and the largest amount of a bill, in senti. */
  readonly least: Senti | null;
  readonly most: Senti | null;
  /** Only bills with an attempt on this network. */
  readonly network: Network | null;
  /** Only bills whose reference begins with this text. */
  readonly reference: string | null;
  /** Only bills with an attempt for this mobile number. Every bill that was created with the number has such an attempt. */
  readonly mobile: Mobile | null;
  /** Only bills with an attempt that failed or expired. */
  readonly failed: boolean;
  /** Only bills with an attempt that ended for this reason. */
  readonly reason: RequestReason | null;
  /** Only bills with an attempt whose outcome is unknown. */
  readonly unknown: boolean;
  /** Only bills for which more than their amount was paid. */
  readonly overpaid: boolean;
  /** Only bills that wait for money although their newest attempt failed or expired. */
  readonly lastFailed: boolean;
  /** Whether to include the bills that checks of the webhook receiver created. */
  readonly checks: boolean;
}

/** A filter with the sort order and the page size. */
export interface BillQuery {
  readonly filter: BillFilter;
  readonly sort: (typeof SORTS)[number];
  readonly size: (typeof PAGE_SIZES)[number];
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
  reason: null,
  unknown: false,
  overpaid: false,
  lastFailed: false,
  checks: false,
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
  | 'reason'
  | 'last'
  | 'sort'
  | 'size';

/** Returns the shortest query string for a query, without a page. Equal queries have equal query strings. */
export function formatBillQuery({ filter, sort, size }: BillQuery): URLSearchParams {
  const { period } = filter;
  const pairs: (readonly [QueryField | 'failed' | 'unknown' | 'overpaid' | 'checks', string | null | false])[] = [
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
    ['reason', filter.reason],
    ['unknown', filter.unknown && '1'],
    ['overpaid', filter.overpaid && '1'],
    ['last', filter.lastFailed && 'failed'],
    ['checks', filter.checks && '1'],
    ['sort', sort !== 'newest' && sort],
    ['size', size !== PAGE_SIZES[0] && String(size)],
  ];
  return new URLSearchParams(pairs.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

export function isUnfiltered(filter: BillFilter): boolean {
  return formatBillQuery({ filter, sort: 'newest', size: PAGE_SIZES[0] }).size === 0;
}

export function isBillStatus(text: string | null): text is BillStatus {
  return BILL_STATUSES.some((status) => status === text);
}

/** Returns an amount in shillings: `5000`, or `5000.50` if it has a fraction. */
export function formatShillings(amount: Senti): string {
  return formatDecimal(amount).replace(/\.00$/, '');
}

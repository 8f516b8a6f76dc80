import { parseDay } from '@/lib/core/instant';
import { type Mobile, readMobile } from '@/lib/core/mobile';
import { formatDecimal, parseDecimal, readShillings, SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';
import { isNetwork, type Network } from '@/lib/core/network';
import { isPreset, type Period } from './period';
import type { BillStatus } from './rules';

export const BILL_STATUSES: readonly BillStatus[] = ['NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID'];
export const SORTS = ['newest', 'oldest', 'largest', 'smallest'] as const;
export const PAGE_SIZES = [25, 50, 100] as const;
export const REFERENCE_MAX = 255;
/** A quadrillion shillings: beyond any bill, and what the database can hold. */
const AMOUNT_MAX = 10n ** 15n * SENTI_PER_SHILLING;

export type Sort = (typeof SORTS)[number];
export type PageSize = (typeof PAGE_SIZES)[number];

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
};

/** A query string's values, as Next.js gives them. */
export type QueryValues = Readonly<Record<string, string | readonly string[] | undefined>>;

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

/** A part of the address that was not understood, and is left out. */
export interface QueryProblem {
  readonly field: QueryField | 'days' | 'amounts' | 'page';
  readonly value: string;
}

/** Pure. Reads what the address asks for: what it does not understand is a problem, and the rest counts. */
export function parseBillQuery(values: QueryValues): { readonly query: BillQuery; readonly problems: readonly QueryProblem[] } {
  const problems: QueryProblem[] = [];
  /** @param read null when the text is not understood. */
  function take<Value>(field: QueryField, read: (text: string) => Value | null): Value | null {
    const [text = ''] = textsOf(values[field]);
    if (text.trim() === '') return null;
    const value = read(text);
    if (value === null) problems.push({ field, value: text });
    return value;
  }
  const statuses = new Set<BillStatus>();
  for (const text of textsOf(values.status)) {
    if (isBillStatus(text)) statuses.add(text);
    else if (text !== '') problems.push({ field: 'status', value: text });
  }
  const amounts = { least: take('least', readAmount), most: take('most', readAmount) };
  const inOrder = amounts.least === null || amounts.most === null || amounts.least <= amounts.most;
  if (!inOrder) problems.push({ field: 'amounts', value: '' });
  const filter: BillFilter = {
    // Every status is the same as none asked for.
    statuses: statuses.size === BILL_STATUSES.length ? [] : BILL_STATUSES.filter((status) => statuses.has(status)),
    closed: take('state', (text) => (text === 'closed' ? true : text === 'open' ? false : null)),
    period: takePeriod(take, problems),
    by: take('by', (text) => (text === 'created' || text === 'paid' ? text : null)) ?? 'created',
    ...(inOrder ? amounts : { least: null, most: null }),
    network: take('network', (text) => (isNetwork(text) ? text : null)),
    reference: take('reference', readReference),
    mobile: take('mobile', readMobile),
    failed: textsOf(values.failed).includes('1'),
    unknown: textsOf(values.unknown).includes('1'),
  };
  const sort = take('sort', (text) => SORTS.find((one) => one === text) ?? null) ?? 'newest';
  const size = take('size', (text) => PAGE_SIZES.find((one) => String(one) === text) ?? null) ?? PAGE_SIZES[0];
  return { query: { filter: filter.period === null ? { ...filter, by: 'created' } : filter, sort, size }, problems };
}

type Take = <Value>(field: QueryField, read: (text: string) => Value | null) => Value | null;

/** A named period counts before days: a form that has both sends both. */
function takePeriod(take: Take, problems: QueryProblem[]): Period | null {
  const named = take('period', (text) => (isPreset(text) || text === 'days' ? text : null));
  if (named !== null && named !== 'days') return named;
  const readDay = (text: string) => (parseDay(text.trim()) === null ? null : text.trim());
  const days = { from: take('from', readDay), to: take('to', readDay) };
  if (days.from === null && days.to === null) return null;
  if (days.from === null || days.to === null || days.from <= days.to) return days;
  problems.push({ field: 'days', value: `${days.from} – ${days.to}` });
  return null;
}

/** Pure. @returns the shortest address that asks for the same, without a page: two that ask for the same are equal. */
export function formatBillQuery({ filter, sort, size }: BillQuery): URLSearchParams {
  const { period } = filter;
  const pairs: (readonly [QueryField | 'failed' | 'unknown', string | null | false])[] = [
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
    ['sort', sort !== 'newest' && sort],
    ['size', size !== PAGE_SIZES[0] && String(size)],
  ];
  return new URLSearchParams(pairs.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

/** @returns the values of a query string, each as often as it is there. */
export function queryValues(params: URLSearchParams): QueryValues {
  return Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name)]));
}

/** Pure. @returns whether every bill is meant. */
export function isUnfiltered(filter: BillFilter): boolean {
  return formatBillQuery({ filter, sort: 'newest', size: PAGE_SIZES[0] }).size === 0;
}

export function isBillStatus(text: string | null): text is BillStatus {
  return BILL_STATUSES.some((status) => status === text);
}

function textsOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

/** As people type it, and with cents as the API writes it. @returns senti. */
function readAmount(text: string): Senti | null {
  const whole = readShillings(text);
  if (whole !== null) return whole <= AMOUNT_MAX ? whole : null;
  const decimal = parseDecimal(text.trim());
  if (decimal === null || decimal.decimals > 2 || decimal.digits < 0n) return null;
  const senti = decimal.digits * 10n ** BigInt(2 - decimal.decimals);
  return senti <= AMOUNT_MAX ? senti : null;
}

/** @returns `5000`, or `5000.50`. */
export function formatShillings(amount: Senti): string {
  return formatDecimal(amount).replace(/\.00$/, '');
}

/** As it stands there, spaces and all: references are echoed exactly. */
function readReference(text: string): string | null {
  return text.length > REFERENCE_MAX || /\p{Cc}/u.test(text) || !text.isWellFormed() ? null : text;
}

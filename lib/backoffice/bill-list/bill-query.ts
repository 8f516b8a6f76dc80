import { BILL_STATUSES, type BillStatus } from '@/lib/gateway/bills/rules';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { EAST_AFRICA_MS } from '@/lib/platform/core/east-african-day';
import { isUuid } from '@/lib/platform/core/ids';
import { parseDay } from '@/lib/platform/core/instant';
import { type Mobile, readMobile } from '@/lib/platform/core/mobile';
import { formatDecimal, parseDecimal, readShillings, SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import { isNetwork, type Network } from '@/lib/platform/core/network';
import { readDay } from '@/lib/platform/i18n/typed-day';
import { FAILURE_REASONS, type FailureReason } from '@/lib/providers/port/outcome';

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
 * the due date. With `received`, `network` is that of the payment. With `ended`, the same attempt must meet all conditions about attempts.
 */
export const PERIOD_BASES = ['created', 'paid', 'received', 'ended', 'due'] as const;
type PeriodBasis = (typeof PERIOD_BASES)[number];

/**
 * Selects bills that meet all conditions. A field with null, false or an empty list is no condition. Exceptions: `closed: false` selects
 * bills that are not closed, and `checks: false` leaves out the bills that checks of the webhook receiver created. One attempt of the bill
 * must meet all of the conditions `network`, `mobile`, `failed`, `reason` and `unknown`; with both `failed` and `unknown`, either is enough.
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

type QueryField =
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

function isBillStatus(text: string | null): text is BillStatus {
  return BILL_STATUSES.some((status) => status === text);
}

/** Returns an amount in shillings: `5000`, or `5000.50` if it has a fraction. */
export function formatShillings(amount: Senti): string {
  return formatDecimal(amount).replace(/\.00$/, '');
}

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

/** Periods relative to today. A saved view with such a period always uses the current date. */
export const PRESETS = ['today', 'yesterday', 'this_week', 'this_month', 'last_month', 'last_7_days', 'last_30_days'] as const;
type Preset = (typeof PRESETS)[number];

/** The first and the last day of a period, as `2026-11-20`. Null means that the period has no start or no end. */
interface DayRange {
  readonly from: string | null;
  readonly to: string | null;
}

type Period = Preset | DayRange;

/** Instants from `from` (inclusive) until `until` (exclusive). */
export interface InstantRange {
  readonly from: Date | null;
  readonly until: Date | null;
}

function isPreset(text: string): text is Preset {
  return PRESETS.some((preset) => preset === text);
}

/** Returns the instants of a period. Days start at midnight East Africa Time, weeks on Monday. */
export function periodInstants(period: Period, now: Date): InstantRange {
  if (typeof period !== 'string') {
    const to = period.to === null ? null : parseDay(period.to);
    return { from: period.from === null ? null : parseDay(period.from), until: to && addMs(to, DAY_MS) };
  }
  const east = addMs(now, EAST_AFRICA_MS);
  const [year, month, day] = [east.getUTCFullYear(), east.getUTCMonth(), east.getUTCDate()];
  // Date.UTC accepts days and months out of range: day 0, for example, is the last day of the month before.
  const starts = (y: number, m: number, d: number) => new Date(Date.UTC(y, m, d) - EAST_AFRICA_MS);
  const sinceMonday = (east.getUTCDay() + 6) % 7;
  switch (period) {
    case 'today':
      return { from: starts(year, month, day), until: starts(year, month, day + 1) };
    case 'yesterday':
      return { from: starts(year, month, day - 1), until: starts(year, month, day) };
    case 'this_week':
      return { from: starts(year, month, day - sinceMonday), until: starts(year, month, day - sinceMonday + 7) };
    case 'this_month':
      return { from: starts(year, month, 1), until: starts(year, month + 1, 1) };
    case 'last_month':
      return { from: starts(year, month - 1, 1), until: starts(year, month, 1) };
    // The last 7 and the last 30 days include today.
    case 'last_7_days':
      return { from: starts(year, month, day - 6), until: starts(year, month, day + 1) };
    case 'last_30_days':
      return { from: starts(year, month, day - 29), until: starts(year, month, day + 1) };
  }
}

/** What bills are sorted by. Bills with equal keys are sorted by their ids. */
export type SortKey = 'created' | 'paid' | 'amount';

/**
 * Returns the sort order of a query. `newest` and `oldest` compare the times of full payment if the filter selects by these, else the times
 * of creation.
 */
export function sortOf({ sort, filter }: BillQuery): { readonly key: SortKey; readonly descending: boolean } {
  if (sort === 'largest' || sort === 'smallest') return { key: 'amount', descending: sort === 'largest' };
  return { key: filter.period !== null && filter.by === 'paid' ? 'paid' : 'created', descending: sort === 'newest' };
}

interface Position {
  readonly id: string;
  /** The bill's amount in senti, or its time of payment in Unix milliseconds; 0 if the list is sorted by id. */
  readonly value: bigint;
}

/** A page: the bills after or before a position. */
export interface PageCursor {
  readonly side: 'after' | 'before';
  readonly position: Position;
}

const LETTERS: Readonly<Record<SortKey, string>> = { created: 'c', paid: 'p', amount: 'a' };
const FORM = /^([acp])([<>])(\d{1,19})\.([0-9a-f-]{36})$/;
/** The largest value of a bigint column, and the largest timestamp of a Date (ECMA-262, 21.4.1.1). */
const LARGEST: Readonly<Record<SortKey, bigint>> = { created: 0n, paid: 8_640_000_000_000_000n, amount: 2n ** 63n - 1n };

/** Returns the cursor as it appears in the address. Only `readCursor` interprets it. */
export function formatCursor(key: SortKey, { side, position }: PageCursor): string {
  return Buffer.from(`${LETTERS[key]}${side === 'after' ? '>' : '<'}${position.value}.${position.id}`).toString('base64url');
}

/** Reads a cursor. Returns null if it is invalid or belongs to another sort order. */
export function readCursor(key: SortKey, text: string): PageCursor | null {
  if (text.length > 100) return null;
  const [, letter, sign, value = '', id = ''] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (letter !== LETTERS[key] || !isUuid(id) || BigInt(value) > LARGEST[key]) return null;
  return { side: sign === '>' ? 'after' : 'before', position: { id, value: BigInt(value) } };
}

export function positionOf(
  key: SortKey,
  { id, amount, paidAt }: { readonly id: string; readonly amount: Senti; readonly paidAt: Date | null },
): Position {
  return { id, value: key === 'amount' ? amount : key === 'paid' ? BigInt(paidAt?.getTime() ?? 0) : 0n };
}

const REFERENCE_MAX = 255;
/** A quadrillion shillings: larger than any bill, and within the range of the database column. */
const AMOUNT_MAX = 10n ** 15n * SENTI_PER_SHILLING;

/** The values of a query string, as Next.js passes them. */
type QueryValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An invalid part of the query string. It is ignored. */
export interface QueryProblem {
  readonly field: QueryField | 'days' | 'amounts' | 'page';
  readonly value: string;
}

/** Parses a query string. Reports invalid parts and uses the others. */
export function parseBillQuery(values: QueryValues): { readonly query: BillQuery; readonly problems: readonly QueryProblem[] } {
  const problems: QueryProblem[] = [];
  /** Reads one field. `read` returns null if the text is invalid. */
  function readField<Value>(field: QueryField, read: (text: string) => Value | null): Value | null {
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
  const amounts = { least: readField('least', readAmount), most: readField('most', readAmount) };
  const inOrder = amounts.least === null || amounts.most === null || amounts.least <= amounts.most;
  if (!inOrder) problems.push({ field: 'amounts', value: '' });
  const filter: BillFilter = {
    // Selecting every status is the same as selecting none.
    statuses: statuses.size === BILL_STATUSES.length ? [] : BILL_STATUSES.filter((status) => statuses.has(status)),
    closed: readField('state', (text) => (text === 'closed' ? true : text === 'open' ? false : null)),
    period: readPeriod(readField, problems),
    by: readField('by', (text) => PERIOD_BASES.find((one) => one === text) ?? null) ?? 'created',
    ...(inOrder ? amounts : { least: null, most: null }),
    network: readField('network', (text) => (isNetwork(text) ? text : null)),
    reference: readField('reference', readReference),
    mobile: readField('mobile', readMobile),
    failed: textsOf(values.failed).includes('1'),
    reason: readField('reason', (text) => REQUEST_REASONS.find((one) => one === text) ?? null),
    unknown: textsOf(values.unknown).includes('1'),
    overpaid: textsOf(values.overpaid).includes('1'),
    lastFailed: readField('last', (text) => (text === 'failed' ? true : null)) ?? false,
    checks: textsOf(values.checks).includes('1'),
  };
  const sort = readField('sort', (text) => SORTS.find((one) => one === text) ?? null) ?? 'newest';
  const size = readField('size', (text) => PAGE_SIZES.find((one) => String(one) === text) ?? null) ?? PAGE_SIZES[0];
  return { query: { filter: filter.period === null ? { ...filter, by: 'created' } : filter, sort, size }, problems };
}

type ReadField = <Value>(field: QueryField, read: (text: string) => Value | null) => Value | null;

/** Reads the period. A named period has priority over days, because the form always sends both. */
function readPeriod(readField: ReadField, problems: QueryProblem[]): Period | null {
  const named = readField('period', (text) => (isPreset(text) || text === 'days' ? text : null));
  if (named !== null && named !== 'days') return named;
  const days = { from: readField('from', (text) => readDay(text)), to: readField('to', (text) => readDay(text)) };
  if (days.from === null && days.to === null) return null;
  if (days.from === null || days.to === null || days.from <= days.to) return days;
  problems.push({ field: 'days', value: `${days.from} – ${days.to}` });
  return null;
}

/** Returns the values of a query string, grouped by name, in linear time. Calling `getAll` for each name would take quadratic time. */
export function queryValues(params: URLSearchParams): QueryValues {
  const values = new Map<string, string[]>();
  for (const [name, value] of params) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(values);
}

function textsOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

/** Reads an amount in shillings as people type it, or with decimals as the API writes it. Returns senti. */
export function readAmount(text: string): Senti | null {
  const whole = readShillings(text);
  if (whole !== null) return whole <= AMOUNT_MAX ? whole : null;
  const decimal = parseDecimal(text.trim());
  if (decimal === null || decimal.decimals > 2 || decimal.digits < 0n) return null;
  const senti = decimal.digits * 10n ** BigInt(2 - decimal.decimals);
  return senti <= AMOUNT_MAX ? senti : null;
}

/** References are compared exactly, so spaces are significant. */
function readReference(text: string): string | null {
  return text.length > REFERENCE_MAX || /\p{Cc}/u.test(text) || !text.isWellFormed() ? null : text;
}

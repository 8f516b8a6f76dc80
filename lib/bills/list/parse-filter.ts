import { BILL_STATUSES, type BillStatus } from '@/lib/bills/rules';
import { parseDay } from '@/lib/core/instant';
import { readMobile } from '@/lib/core/mobile';
import { parseDecimal, readShillings, SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';
import { isNetwork } from '@/lib/core/network';
import { type BillFilter, type BillQuery, isBillStatus, PAGE_SIZES, PERIOD_BASES, type QueryField, REQUEST_REASONS, SORTS } from './filter';
import { isPreset, type Period } from './period';

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
  const readDay = (text: string) => (parseDay(text.trim()) === null ? null : text.trim());
  const days = { from: readField('from', readDay), to: readField('to', readDay) };
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

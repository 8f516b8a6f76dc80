import { countText, networkText } from '@/lib/backoffice/overview/attention-rules';
import type { DayFigures } from '@/lib/backoffice/overview/figures';
import { addDays, type Day, type Range, startOf } from '@/lib/backoffice/overview/periods';
import type { Overview } from '@/lib/backoffice/overview/show-overview';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import { formatClock, formatDateParts, formatDay, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { listLinks, type Place } from './list-links';

/** One line of a small chart: a name, a bar and a number. The line is a link to the bills that the number counts. */
export interface LineView {
  readonly key: string;
  readonly label: string;
  readonly value: string;
  /** The length of the bar in per cent. */
  readonly share: number;
  readonly href: string;
  /** A remark below the name. */
  readonly note?: string;
  /** Whether the bar shows a fault that somebody should look into. */
  readonly fault?: boolean;
}

/** A comparison with earlier days. */
interface ComparedView {
  readonly icon: 'rise' | 'fall' | null;
  readonly text: string;
}

/** From this growth in per cent on, the text names a factor instead: `12 times as much`. */
const MANY_PER_CENT = 1_000;
/** How many reasons of failed payment requests are shown at first. The others are hidden until somebody opens them. */
const REASONS_SHOWN = 3;

/** The reasons of failed requests that are not the customer's. */
const FAULTS: ReadonlySet<string> = new Set(['provider_unavailable', 'rejected', 'no_provider', 'merchant_config', 'not_sent_in_time']);

/** Returns what was collected in the range. */
export function presentCollected({ at, range, totals, before }: Overview, place: Place, locale: Locale) {
  const t = translator(locale, 'Overview');
  const { net, payments, billsPaid, collected, byHand, reversed, averageMs } = totals;
  const href = listLinks(place).received(range);
  return {
    title: t('collected'),
    days: daysText(range, at, locale),
    amount: formatMoney(net),
    href,
    compared: comparedMoney(before.change, { when: beforeText(range, before.until, at, locale), before: formatMoney(before.net) }, locale),
    facts: [
      { term: t('payments'), value: countText(payments), href },
      { term: t('billsPaid'), value: countText(billsPaid), href: listLinks(place).paid(range) },
      {
        term: t('averagePayment'),
        value: payments === 0 ? t('none') : formatMoney(wholeShillings(collected / BigInt(payments))),
        href: null,
      },
      { term: t('average'), value: averageMs === null ? t('none') : durationText(averageMs, locale), href: null },
      ...(byHand > 0n ? [{ term: t('byHand'), value: formatMoney(byHand), href: null }] : []),
      ...(reversed > 0n ? [{ term: t('sentBack'), value: formatMoney(reversed), href: null }] : []),
    ],
  };
}

/** Returns what customers have not paid yet, by the age of the bills. */
export function presentUnpaid({ unpaid }: Overview, place: Place, locale: Locale) {
  const t = translator(locale, 'Overview');
  const links = listLinks(place);
  const largest = unpaid.ages.reduce((most, { amount }) => (amount > most ? amount : most), 0n);
  return {
    title: t('unpaid'),
    amount: formatMoney(unpaid.amount),
    href: links.unpaid(null),
    bills: t('unpaidBills', { count: unpaid.bills, shown: countText(unpaid.bills) }),
    /** Null if no bill is overdue. */
    overdue: presentOverdue(unpaid.overdue, place, locale),
    ages: unpaid.ages.map(
      ({ age, first, last, bills, amount }): LineView => ({
        key: age,
        label: t(`age_${age}`),
        value: formatMoney(amount),
        note: t('unpaidBills', { count: bills, shown: countText(bills) }),
        share: partOf(amount, largest),
        href: links.unpaid({ first, last }),
      }),
    ),
  };
}

function presentOverdue({ bills, amount, last }: Overview['unpaid']['overdue'], place: Place, locale: Locale) {
  if (bills === 0) return null;
  const t = translator(locale, 'Overview');
  const note = t('unpaidBills', { count: bills, shown: countText(bills) });
  return { text: t('age_overdue'), note, value: formatMoney(amount), href: listLinks(place).overdue({ first: null, last }) };
}

/** Returns how many payment requests were paid, and why the others were not. */
export function presentSuccess({ range, requests, reasons, before }: Overview, place: Place, locale: Locale) {
  const t = translator(locale, 'Overview');
  const links = listLinks(place);
  const { ended, succeeded } = requests;
  const most = reasons[0]?.count ?? 0;
  const lines = reasons.map(
    ({ reason, count }): LineView => ({
      key: reason,
      label: translator(locale, 'RequestReason')(reason),
      value: countText(count),
      share: percent(count, most),
      href: links.ended(range, { reason }),
      fault: FAULTS.has(reason),
    }),
  );
  return {
    title: t('success'),
    rate: ended === 0 ? t('none') : `${percent(succeeded, ended)}%`,
    href: links.ended(range),
    text: ended === 0 ? t('successEmpty') : t('successText', { succeeded: countText(succeeded), ended: countText(ended) }),
    compared: ended === 0 || before.requests.ended === 0 ? null : comparedRates(requests, before.requests, locale),
    failed:
      ended > succeeded
        ? {
            text: t('failedText', { count: ended - succeeded, shown: countText(ended - succeeded) }),
            href: links.ended(range, { failed: true }),
          }
        : null,
    reasons: lines.slice(0, REASONS_SHOWN),
    others: lines.slice(REASONS_SHOWN),
    more: t('moreReasons', { count: Math.max(0, lines.length - REASONS_SHOWN) }),
  };
}

/** Returns the amount that was paid through each network, and how many of its payment requests were paid. */
export function presentNetworks({ range, networks, received }: Overview, place: Place, locale: Locale) {
  const t = translator(locale, 'Overview');
  const links = listLinks(place);
  const largest = received[0]?.amount ?? 0n;
  const names = [...new Set([...received, ...networks].map(({ network }) => network))];
  return {
    title: t('networks'),
    empty: names.length === 0 ? t('networksEmpty') : null,
    lines: names.map((network) => {
      const { amount = 0n, payments = 0 } = received.find((one) => one.network === network) ?? {};
      const requests = networks.find((one) => one.network === network);
      return {
        key: network,
        label: networkText(network, locale),
        value: formatMoney(amount),
        share: partOf(amount, largest),
        href: links.received(range, network),
        payments: t('paymentCount', { count: payments, shown: countText(payments) }),
        rate:
          requests === undefined
            ? null
            : {
                text: t('networkSuccess', { rate: percent(requests.succeeded, requests.ended) }),
                label: t('networkRate', {
                  rate: percent(requests.succeeded, requests.ended),
                  ended: countText(requests.ended),
                  count: requests.ended,
                }),
                href: links.ended(range, { network }),
              },
      };
    }),
  };
}

function comparedMoney(change: number | null, values: { when: string; before: string }, locale: Locale): ComparedView {
  const t = translator(locale, 'Overview');
  if (change === null) return { icon: null, text: t('change_none', { when: values.when }) };
  if (change === 0) return { icon: null, text: t('change_same', values) };
  if (change >= MANY_PER_CENT) return { icon: 'rise', text: t('change_times', { ...values, times: Math.round(change / 100) + 1 }) };
  return {
    icon: change > 0 ? 'rise' : 'fall',
    text: t(change > 0 ? 'change_more' : 'change_less', { ...values, percent: Math.abs(change) }),
  };
}

/** Compares the success rate with that of the earlier days. The card of the collected money names these days, so this text does not. */
function comparedRates(now: Overview['requests'], before: Overview['requests'], locale: Locale): ComparedView {
  const t = translator(locale, 'Overview');
  const rateBefore = percent(before.succeeded, before.ended);
  const points = percent(now.succeeded, now.ended) - rateBefore;
  return { icon: points === 0 ? null : points > 0 ? 'rise' : 'fall', text: t('rateBefore', { rate: rateBefore }) };
}

function wholeShillings(amount: Senti): Senti {
  return (amount / SENTI_PER_SHILLING) * SENTI_PER_SHILLING;
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100);
}

function partOf(amount: Senti, whole: Senti): number {
  return whole <= 0n || amount <= 0n ? 0 : Math.max(1, Number((amount * 100n) / whole));
}

/** Returns a duration as people say it: `40 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function durationText(ms: number, locale: Locale): string {
  const t = translator(locale, 'Overview');
  if (ms < MINUTE_MS) return t('seconds', { count: Math.round(ms / SECOND_MS) });
  if (ms < HOUR_MS) return t('minutes', { count: Math.round(ms / MINUTE_MS) });
  if (ms < 2 * DAY_MS) return t('hours', { hours: Math.floor(ms / HOUR_MS), minutes: Math.floor((ms % HOUR_MS) / MINUTE_MS) });
  return t('daysHours', { days: Math.floor(ms / DAY_MS), hours: Math.floor((ms % DAY_MS) / HOUR_MS) });
}

/** Returns a day as `16 Nov`, or with its year if that is not the current one. */
function dayText(day: Day, today: Day, locale: Locale): string {
  if (day.slice(0, 4) !== today.slice(0, 4)) return formatDay(startOf(day), locale);
  return formatDateParts(startOf(day), locale, { day: 'numeric', month: 'short' });
}

/** Returns a range of days as `16–22 Nov` or `26 Oct – 22 Nov`. */
function daysText({ first, last }: { readonly first: Day; readonly last: Day }, now: Date, locale: Locale): string {
  const today = eastAfricanDay(now);
  const t = translator(locale, 'Overview');
  if (first === last) return first === today ? t('range_today') : dayText(first, today, locale);
  const sameMonth = first.slice(0, 7) === last.slice(0, 7) && first.slice(0, 4) === today.slice(0, 4);
  if (sameMonth) return `${Number(first.slice(8))}–${dayText(last, today, locale)}`;
  return `${dayText(first, today, locale)} – ${dayText(last, today, locale)}`;
}

/** Returns the name of the days with which a range is compared: `yesterday until 14:05`, `9–15 Nov`. */
function beforeText({ before }: Range, until: Date | null, now: Date, locale: Locale): string {
  const t = translator(locale, 'Overview');
  const { first, last } = before;
  const yesterday = addDays(eastAfricanDay(now), -1);
  const days = first === last && first === yesterday ? t('yesterday') : daysText(before, now, locale);
  return until === null ? days : t('comparedUntil', { days, time: formatClock(until) });
}

export interface BarView {
  readonly label: string;
  /** The height in per cent of the chart. */
  readonly height: number;
  /** The height of the point for the earlier day or week that the bar is compared with, in per cent of the chart; null if there is none. */
  readonly before: number | null;
  /** Whether the bar belongs to the chosen days. Bars of other days are paler. */
  readonly chosen: boolean;
  /** What the tooltip says: amount, number of payments, and the earlier amount. */
  readonly texts: readonly string[];
  readonly href: string;
  /** The text below the axis; null for most bars. */
  readonly tick: string | null;
}

/** A chart of more days has one bar for each week, because bars for single days would be too thin to click. */
const DAYS_MAX = 92;
const WEEK = 7;

interface Bucket extends Pick<DayFigures, 'collected' | 'reversed' | 'net' | 'payments' | 'chosen' | 'netBefore'> {
  readonly first: Day;
  readonly last: Day;
}

/** Returns what was collected per day, or per week for many days. */
export function presentDays(overview: Overview, place: Place, locale: Locale) {
  const t = translator(locale, 'Overview');
  const { at, range, days } = overview;
  const links = listLinks(place);
  const weekly = days.length > DAYS_MAX;
  const buckets = weekly ? weeksOf(days) : days.map((day): Bucket => ({ ...day, first: day.day, last: day.day }));
  const most = Math.max(1, ...buckets.flatMap(({ net, netBefore }) => [shillings(net), shillings(netBefore ?? 0n)]));
  const step = roundStep(most / 4);
  const lines = Math.ceil(most / step);
  const top = lines * step;
  const height = (amount: Senti) => Math.max(0, Math.min(100, (shillings(amount) / top) * 100));
  const best = buckets.reduce<Bucket | null>((most, one) => (one.net > (most?.net ?? 0n) ? one : most), null);
  const name = ({ first, last }: Bucket) =>
    first === last
      ? formatDateParts(startOf(first), locale, { weekday: 'short', day: 'numeric', month: 'short' })
      : daysText({ first, last }, at, locale);
  const payments = (count: number) => t('paymentCount', { count, shown: countText(count) });
  const compared = buckets.some(({ netBefore }) => netBefore !== null);
  return {
    title: t(weekly ? 'collectedPerWeek' : 'collectedPerDay'),
    text: best ? t('bestDay', { day: name(best), amount: formatMoney(best.net) }) : t('collectedEmpty'),
    /** Empty if there is nothing to draw. */
    bars: best
      ? buckets.map(
          (bucket, index): BarView => ({
            label: name(bucket),
            height: height(bucket.net),
            before: bucket.netBefore === null ? null : height(bucket.netBefore),
            chosen: bucket.chosen,
            texts: [
              formatMoney(bucket.net),
              payments(bucket.payments),
              ...(bucket.netBefore === null ? [] : [t('amountBefore', { amount: formatMoney(bucket.netBefore) })]),
            ],
            href: links.received(bucket),
            tick: tickText(buckets, index, locale),
          }),
        )
      : [],
    axis: Array.from({ length: lines }, (_, line) => top - line * step).map((value) => ({
      at: (value / top) * 100,
      text: compact.format(value),
    })),
    unit: t('unit'),
    before: compared ? daysText(range.before, at, locale) : null,
    table: {
      open: t('numbers'),
      columns: [t(weekly ? 'week' : 'day'), t('booked'), t('sentBack'), t('net'), t('payments')],
      rows: buckets.toReversed().map((bucket) => ({
        name: name(bucket),
        href: links.received(bucket),
        cells: [formatMoney(bucket.collected), formatMoney(bucket.reversed), formatMoney(bucket.net), countText(bucket.payments)],
      })),
    },
  };
}

/** Returns what was received in each hour of the day. */
export function presentHours({ hours }: Overview, locale: Locale) {
  const t = translator(locale, 'Overview');
  const largest = hours.reduce((most, { amount }) => (amount > most ? amount : most), 0n);
  const best = hours.find(({ amount }) => amount === largest && amount > 0n) ?? null;
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  const span = (hour: number) => `${clock(hour)}–${clock((hour + 1) % 24)}`;
  return {
    title: t('hoursTitle'),
    text: best ? t('bestHour', { hour: span(best.hour), amount: formatMoney(best.amount) }) : t('collectedEmpty'),
    bars: best
      ? hours.map(({ hour, amount }) => ({ hour: clock(hour), height: Number((amount * 100n) / largest), best: hour === best.hour }))
      : [],
    table: {
      open: t('numbers'),
      columns: [t('hour'), t('booked'), t('payments')],
      rows: hours
        .filter(({ payments }) => payments > 0)
        .map(({ hour, amount, payments }) => ({ name: span(hour), href: null, cells: [formatMoney(amount), countText(payments)] })),
    },
  };
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function shillings(amount: Senti): number {
  return Number(amount / SENTI_PER_SHILLING);
}

/** Rounds a distance of axis lines up to 1, 2, 5 or 10 times a power of ten, and to at least one shilling. */
function roundStep(value: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(value)));
  return [1, 2, 5].map((factor) => factor * power).find((one) => one >= value) ?? 10 * power;
}

/**
 * Returns the text below a bar; null if it gets none. With at most seven bars, each gets its weekday. With more, every seventh bar gets its
 * date, or every fourteenth if there are more than 35, counted from the last bar.
 */
function tickText(buckets: readonly Bucket[], index: number, locale: Locale): string | null {
  const first = buckets[index]?.first;
  if (first === undefined) return null;
  if (buckets.length <= WEEK) return translator(locale, 'Overview')(`weekday_${weekdayOf(first)}`);
  const every = buckets.length > 5 * WEEK ? 2 * WEEK : WEEK;
  return (buckets.length - 1 - index) % every === 0 ? formatDateParts(startOf(first), locale, { day: 'numeric', month: 'short' }) : null;
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Returns the end of the message key of a weekday's short name. Bili has its own short names, because Intl has none in Swahili. */
function weekdayOf(day: Day): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 'sun';
}

function weeksOf(days: readonly DayFigures[]): Bucket[] {
  const count = Math.ceil(days.length / WEEK);
  return Array.from({ length: count }, (_, index) => {
    const week = days.slice(index * WEEK, (index + 1) * WEEK);
    const sum = (of: (day: DayFigures) => bigint) => week.reduce((total, day) => total + of(day), 0n);
    return {
      first: week[0]?.day ?? '',
      last: week.at(-1)?.day ?? '',
      collected: sum(({ collected }) => collected),
      reversed: sum(({ reversed }) => reversed),
      net: sum(({ net }) => net),
      payments: week.reduce((total, { payments }) => total + payments, 0),
      chosen: true,
      netBefore: sum(({ netBefore }) => netBefore ?? 0n),
    };
  });
}

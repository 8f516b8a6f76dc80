import { SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';
import { formatDateParts, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { countText } from '@/lib/overview/describe-attention';
import type { DayFigures } from '@/lib/overview/figures';
import { type Day, startOf } from '@/lib/overview/periods';
import type { Overview } from '@/lib/overview/show-overview';
import { listLinks, type Place } from './list-links';
import { daysText } from './present-range';

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
  const top = roundUp(Math.max(1, ...buckets.flatMap(({ net, netBefore }) => [shillings(net), shillings(netBefore ?? 0n)])));
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
    axis: [top, top / 2].map((value) => ({ at: (value / top) * 100, text: compact.format(value) })),
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

/** Rounds up to 2, 4, 6, 8 or 10 times a power of ten. Half of such a value is a round number, too. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [2, 4, 6, 8, 10].map((step) => step * power).find((one) => one >= value) ?? 20 * power;
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

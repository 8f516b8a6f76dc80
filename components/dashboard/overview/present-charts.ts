import { SENTI_PER_SHILLING } from '@/lib/core/money';
import { formatDateParts, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { countText, networkText } from '@/lib/overview/describe-attention';
import type { DayFigures, NetworkFigures, ReasonFigures } from '@/lib/overview/figures';
import { startOf } from '@/lib/overview/periods';
import type { Overview } from '@/lib/overview/show-overview';
import { requestReasonText } from '../request-reason';

/** A table of texts with a text above it. */
export interface TableView {
  readonly title: string;
  readonly text: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One bar. */
interface PointView {
  readonly label: string;
  readonly value: number;
  readonly text: string;
}

export interface ChartView extends TableView {
  /**
   * `days` has vertical bars of amounts. The other charts have horizontal bars: `shares` from 0 to 100, `counts` relative to the largest.
   */
  readonly kind: 'days' | 'shares' | 'counts';
  /** Empty if there is nothing to draw. The text then says so. */
  readonly points: readonly PointView[];
  /** The label that opens the table. */
  readonly open: string;
}

/** Returns the three charts: amounts per day, success rate per network, and failure reasons. */
export function presentCharts({ days, networks, reasons }: Overview, locale: Locale): ChartView[] {
  return [collected(days, locale), success(networks, locale), failures(reasons, networks, locale)];
}

function collected(days: readonly DayFigures[], locale: Locale): ChartView {
  const t = translator(locale, 'Overview');
  const best = days.reduce<DayFigures | null>((most, day) => (day.net > (most?.net ?? 0n) ? day : most), null);
  const moved = days.some(({ payments, reversed }) => payments > 0 || reversed > 0n);
  const dayText = ({ day }: DayFigures) => formatDateParts(startOf(day), locale, { day: 'numeric', month: 'short' });
  return {
    kind: 'days',
    title: t('collected'),
    text: best ? t('collectedText', { day: dayText(best), amount: formatMoney(best.net) }) : t('collectedEmpty'),
    points: moved
      ? days.map((day) => ({ label: dayText(day), value: Number(day.net / SENTI_PER_SHILLING), text: formatMoney(day.net) }))
      : [],
    open: t('numbers'),
    columns: [t('day'), t('booked'), t('sentBack'), t('net'), t('payments')],
    rows: days
      .toReversed()
      .map((day) => [dayText(day), formatMoney(day.collected), formatMoney(day.reversed), formatMoney(day.net), countText(day.payments)]),
  };
}

function success(networks: readonly NetworkFigures[], locale: Locale): ChartView {
  const t = translator(locale, 'Overview');
  const rated = networks.map((network) => ({
    ...network,
    name: networkText(network.network, locale),
    rate: percent(network.succeeded, network.ended),
  }));
  return {
    kind: 'shares',
    title: t('networks'),
    text: t(rated.length > 0 ? 'networksText' : 'networksEmpty'),
    points: rated.map(({ name, rate, ended }) => ({ label: name, value: rate, text: t('rateLabel', { rate, ended: countText(ended) }) })),
    open: t('numbers'),
    columns: [t('network'), t('ended'), t('succeeded'), t('rate')],
    rows: rated.map(({ name, rate, ended, succeeded }) => [name, countText(ended), countText(succeeded), `${rate}%`]),
  };
}

function failures(reasons: readonly ReasonFigures[], networks: readonly NetworkFigures[], locale: Locale): ChartView {
  const t = translator(locale, 'Overview');
  const failed = reasons.reduce((sum, { count }) => sum + count, 0);
  const ended = networks.reduce((sum, network) => sum + network.ended, 0);
  const named = reasons.map(({ reason, count }) => ({ name: requestReasonText(reason, locale), count }));
  return {
    kind: 'counts',
    title: t('reasons'),
    text: failed > 0 ? t('reasonsText', { failed: countText(failed), ended: countText(ended) }) : t('reasonsEmpty'),
    points: named.map(({ name, count }) => ({ label: name, value: count, text: countText(count) })),
    open: t('numbers'),
    columns: [t('reason'), t('count'), t('share')],
    rows: named.map(({ name, count }) => [name, countText(count), `${percent(count, failed)}%`]),
  };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100);
}

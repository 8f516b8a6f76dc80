import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { formatClock, formatDateParts, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { countText } from '@/lib/overview/describe-attention';
import type { IntervalFigures, Totals } from '@/lib/overview/figures';

export type IntervalView = ReturnType<typeof presentInterval>;

/** From this percentage on, the growth is shown as a factor. */
const MANY_PER_CENT = 1_000;

/** Returns the current day, week or month, and a text that compares it with the previous one. */
export function presentInterval(figures: IntervalFigures, locale: Locale) {
  const { interval, net, change } = figures;
  return {
    interval,
    title: translator(locale, 'Overview')(`stretch_${interval}`),
    amount: formatMoney(net),
    icon: trendIcon(change),
    compared: compared(figures, locale),
    facts: presentTotals(figures, locale),
  };
}

/** Returns the other figures of some days. */
export function presentTotals({ reversed, payments, billsCreated, billsPaid, averageMs }: Totals, locale: Locale) {
  const t = translator(locale, 'Overview');
  return [
    { term: t('payments'), value: countText(payments) },
    ...(reversed > 0n ? [{ term: t('sentBack'), value: `${formatMoney(reversed)}, ${t('sentBackNote')}` }] : []),
    { term: t('billsCreated'), value: countText(billsCreated) },
    { term: t('billsPaid'), value: countText(billsPaid) },
    { term: t('average'), value: averageMs === null ? t('none') : durationText(averageMs, locale) },
  ];
}

/** Returns a duration as people say it: `40 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function durationText(ms: number, locale: Locale): string {
  const t = translator(locale, 'Overview');
  if (ms < MINUTE_MS) return t('seconds', { count: Math.round(ms / SECOND_MS) });
  if (ms < HOUR_MS) return t('minutes', { count: Math.round(ms / MINUTE_MS) });
  if (ms < 2 * DAY_MS) return t('hours', { hours: Math.floor(ms / HOUR_MS), minutes: Math.floor((ms % HOUR_MS) / MINUTE_MS) });
  return t('daysHours', { days: Math.floor(ms / DAY_MS), hours: Math.floor((ms % DAY_MS) / HOUR_MS) });
}

function trendIcon(change: number | null): 'rise' | 'fall' | null {
  if (change === null || change === 0) return null;
  return change > 0 ? 'rise' : 'fall';
}

function compared(figures: IntervalFigures, locale: Locale): string {
  const t = translator(locale, 'Overview');
  const { netBefore, change } = figures;
  const values = { when: whenText(figures, locale), before: formatMoney(netBefore) };
  if (change === null) return t('change_none', values);
  if (change === 0) return t('change_same', values);
  if (change >= MANY_PER_CENT) return t('change_times', { ...values, times: Math.round(change / 100) + 1 });
  return t(change > 0 ? 'change_more' : 'change_less', { ...values, percent: Math.abs(change) });
}

function whenText({ interval, now, before }: IntervalFigures, locale: Locale): string {
  const t = translator(locale, 'Overview');
  const time = formatClock(before.to);
  if (interval === 'today') return t('when_today', { time });
  if (interval === 'week') return t('when_week', { weekday: formatDateParts(before.to, locale, { weekday: 'long' }), time });
  const month = formatDateParts(before.from, locale, { month: 'long' });
  if (before.to >= now.from) return t('when_whole', { month });
  return t('when_month', { month, day: formatDateParts(before.to, locale, { day: 'numeric' }), time });
}

import { SENTI_PER_SHILLING, type Senti } from '@/lib/core/money';
import { formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { countText, networkText } from '@/lib/overview/describe-attention';
import type { Overview } from '@/lib/overview/show-overview';
import { requestReasonText } from '../request-reason';
import { durationText } from './durations';
import { listLinks, type Place } from './list-links';
import { beforeText, daysText } from './present-range';

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

/** Returns what was collected in the range. */
export function presentCollected({ at, range, totals, before }: Overview, place: Place, locale: Locale) {
  const t = translator(locale, 'Overview');
  const { net, payments, billsPaid, collected, reversed, averageMs } = totals;
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
      label: requestReasonText(reason, locale),
      value: countText(count),
      share: percent(count, most),
      href: links.ended(range, { reason }),
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

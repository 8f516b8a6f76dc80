import { dashboardPath } from '@/lib/accounts/access/grant-access';
import { type Permission, type Role, roleMay } from '@/lib/accounts/permissions';
import { formatClock, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { AttentionKind } from '@/lib/overview/attention-rules';
import type { Overview } from '@/lib/overview/show-overview';
import { type Place, presentAttention } from './present-attention';
import { presentCharts } from './present-charts';
import { presentInterval, presentTotals } from './present-intervals';

/** The first steps. Those for a shop without a server come first. */
const STEPS = [
  { step: 'bill', page: 'bills/new', needs: 'bills.create' },
  { step: 'key', page: 'keys', needs: 'keys.change' },
  { step: 'webhook', page: 'webhooks', needs: 'webhooks.view' },
] as const satisfies readonly { readonly needs: Permission; readonly [name: string]: string }[];
/** The endings of the most useful test numbers. The documentation lists all. */
const NUMBERS = ['001', '002', '004', '005', '009', '010'] as const;

/** Items that the banner of every page already shows. */
const SHOWN_IN_BANNER: ReadonlySet<AttentionKind> = new Set(['merchant_closed', 'merchant_suspended', 'merchant_pending']);

interface Reader {
  readonly place: Place;
  readonly role: Role;
}

/**
 * The content of the overview as translated texts. Both the page and the route that refreshes it create this on the server, because browsers
 * format numbers and dates differently.
 */
export type OverviewView = ReturnType<typeof presentOverview>;
export type FiguresView = NonNullable<OverviewView['figures']>;
export type GuideView = NonNullable<ReturnType<typeof presentGuide>>;

export function presentOverview(overview: Overview, { place, role }: Reader, locale: Locale) {
  const t = translator(locale, 'Overview');
  const { at, period, attention, steps, intervals, totals } = overview;
  const time = formatClock(at, 'second');
  const items = attention.filter(({ kind }) => !SHOWN_IN_BANNER.has(kind));
  const open = items.length === attention.length;
  return {
    updated: t('updated', { time }),
    notUpdated: t('notUpdated', { time }),
    /** Null if there is nothing to show except what the page banner already says. */
    attention: open || items.length > 0 ? presentAttention({ items, webhook: steps.webhook }, place, locale) : null,
    guide: open ? presentGuide(steps, { place, role }, locale) : null,
    /** Null until the first bill exists. */
    figures: steps.bill
      ? {
          intervals: intervals.map((interval) => presentInterval(interval, locale)),
          periodTotal: t('periodTotal', { net: formatMoney(totals.net), days: period }),
          periodFacts: presentTotals(totals, locale),
          charts: presentCharts(overview, locale),
        }
      : null,
  };
}

/** Returns null once the merchant has completed the setup. A merchant who creates bills by hand needs neither key nor webhook. */
function presentGuide(steps: Overview['steps'], { place, role }: Reader, locale: Locale) {
  if (steps.bill && (steps.webhook || !steps.key)) return null;
  const t = translator(locale, 'Overview');
  return {
    title: t('guide'),
    text: t('guideText'),
    steps: STEPS.map(({ step, page, needs }) => ({
      step,
      done: steps[step],
      state: t(steps[step] ? 'done' : 'toDo'),
      title: t(`step_${step}`),
      text: t(`step_${step}Text`),
      /** Null if the viewer may not open the page. */
      link: roleMay(role, needs) ? { href: dashboardPath({ ...place, page }), text: t(`go_${step}`) } : null,
    })),
    /** The endings of test numbers and their effects; null in the live environment. */
    numbers:
      place.environment === 'sandbox'
        ? {
            title: t('sandboxTitle'),
            text: t('sandboxText'),
            columns: [t('numberEnds'), t('whatHappens')],
            rows: [...NUMBERS.map((ends) => [ends, t(`sandbox_${ends}`)]), [t('anyOther'), t('sandbox_other')]],
          }
        : null,
  };
}

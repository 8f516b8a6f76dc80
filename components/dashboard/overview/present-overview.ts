import type { BillFilter } from '@/lib/backoffice/bill-list/bill-query';
import { type AttentionItem, type AttentionKind, describeAttention } from '@/lib/backoffice/overview/attention-rules';
import type { Overview } from '@/lib/backoffice/overview/show-overview';
import { dashboardPath } from '@/lib/identity/accounts/access/grant-access';
import { type Permission, type Role, roleMay } from '@/lib/identity/accounts/permissions';
import { formatClock, formatInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { listLinks, type Place } from './list-links';
import { presentCollected, presentDays, presentHours, presentNetworks, presentSuccess, presentUnpaid } from './present-figures';

/** Items that the banner of every page already shows. */
const SHOWN_IN_BANNER: ReadonlySet<AttentionKind> = new Set(['merchant_closed', 'merchant_suspended', 'merchant_pending']);

interface Reader {
  readonly place: Place;
  readonly role: Role;
}

/**
 * The content of the overview as translated texts. Both the page and the route that refreshes it create this on the server, because
 * browsers format numbers and dates differently.
 */
export type OverviewView = ReturnType<typeof presentOverview>;
export type FiguresView = NonNullable<OverviewView['figures']>;

export function presentOverview(overview: Overview, { place, role }: Reader, locale: Locale) {
  const t = translator(locale, 'Overview');
  const { at, attention, steps, activation } = overview;
  const time = formatClock(at, 'second');
  const items = attention.filter(({ kind }) => !SHOWN_IN_BANNER.has(kind));
  const open = items.length === attention.length;
  return {
    updated: t('updated', { time }),
    notUpdated: t('notUpdated', { time }),
    /** What needs attention, or a text that nothing does. Null if the banner of the page already shows everything that needs attention. */
    attention: open || items.length > 0 ? presentAttention({ items, webhook: steps.webhook }, place, locale) : null,
    activation: activation && presentActivation(activation, { place, role }, locale),
    guide: open ? presentGuide(steps, { place, role }, locale) : null,
    /** Null until the first bill exists. */
    figures: steps.bill
      ? {
          collected: presentCollected(overview, place, locale),
          unpaid: presentUnpaid(overview, place, locale),
          success: presentSuccess(overview, place, locale),
          charts: t('charts'),
          days: presentDays(overview, place, locale),
          networks: presentNetworks(overview, place, locale),
          hours: presentHours(overview, locale),
        }
      : null,
  };
}

/** The steps of every shop (`shop`), and the additional steps of a shop with a server of its own (`server`). */
const STEPS = [
  { step: 'bill', page: 'bills/new', needs: 'bills.create', group: 'shop' },
  { step: 'support', page: 'settings', needs: 'settings.change', group: 'shop' },
  { step: 'team', page: 'team', needs: 'team.change', group: 'shop' },
  { step: 'key', page: 'keys', needs: 'keys.change', group: 'server' },
  { step: 'webhook', page: 'webhooks', needs: 'webhooks.change', group: 'server' },
] as const satisfies readonly { readonly needs: Permission; readonly [name: string]: string }[];
/** The last three digits of the most useful test numbers. The documentation lists all. */
const NUMBERS = ['001', '002', '004', '005', '009', '010'] as const;

/** One step: what to do, and whether it is done. */
export interface StepView {
  readonly step: string;
  readonly done: boolean;
  readonly state: string;
  readonly title: string;
  readonly text: string;
  readonly link: { readonly href: string; readonly text: string } | null;
}

export type GuideView = NonNullable<ReturnType<typeof presentGuide>>;

/**
 * Returns the first steps that the member's role allows; null if the role allows none, the member has dismissed them, or all are done.
 * A shop without a server does not need the steps `key` and `webhook`. If an API key exists, the shop has a server, so the webhook address
 * must be set too before all steps are done.
 */
function presentGuide(steps: Overview['steps'], { place, role }: Reader, locale: Locale) {
  const mine = STEPS.filter(({ needs }) => roleMay(role, needs));
  const shopDone = mine.every(({ step, group }) => group !== 'shop' || steps[step]);
  const serverDone = steps.webhook || !steps.key;
  if (steps.hidden || mine.length === 0 || (shopDone && serverDone)) return null;
  const t = translator(locale, 'Overview');
  const stepsOf = (wanted: 'shop' | 'server') =>
    mine
      .filter(({ group }) => group === wanted)
      .map(
        ({ step, page }): StepView => ({
          step,
          done: steps[step],
          state: t(steps[step] ? 'done' : 'toDo'),
          title: t(step === 'support' ? 'activation_support' : `step_${step}`),
          text: t(step === 'support' ? 'activation_supportText' : `step_${step}Text`),
          link: steps[step]
            ? null
            : { href: dashboardPath({ ...place, page }), text: t(step === 'support' ? 'activation_supportGo' : `go_${step}`) },
        }),
      );
  const shop = stepsOf('shop');
  return {
    title: t('guide'),
    progress: t('progress', { done: shop.filter(({ done }) => done).length, count: shop.length }),
    shop,
    server: { title: t('serverSteps'), steps: stepsOf('server'), open: steps.key && !steps.webhook },
    hide: t('hideSteps'),
    /** The last digits of test numbers and what they cause; null in the live environment. */
    numbers:
      place.environment === 'sandbox'
        ? {
            title: t('sandboxTitle'),
            text: t('sandboxText'),
            columns: [t('numberEnds'), t('whatHappens')],
            phones: roleMay(role, 'bills.create') ? { href: dashboardPath({ ...place, page: 'phones' }), text: t('sandboxPhones') } : null,
            rows: [...NUMBERS.map((ends) => [ends, t(`sandbox_${ends}`)]), [t('anyOther'), t('sandbox_other')]],
          }
        : null,
  };
}

export type ActivationView = ReturnType<typeof presentActivation>;

/** Returns what is missing before the operator can activate live payments, and the texts of the request for the activation. */
function presentActivation(
  { tried, support, secondFactor, requestedAt }: NonNullable<Overview['activation']>,
  { place, role }: Reader,
  locale: Locale,
) {
  const t = translator(locale, 'Overview');
  const pages = [
    { step: 'tried', done: tried, href: dashboardPath({ ...place, environment: 'sandbox', page: 'overview' }) },
    { step: 'support', done: support, href: dashboardPath({ ...place, page: 'settings' }) },
    { step: 'secondFactor', done: secondFactor, href: '/account/second-factor' },
  ] as const;
  return {
    title: t('activation'),
    progress: t('progress', { done: pages.filter(({ done }) => done).length, count: pages.length }),
    text: t('activationText'),
    steps: pages.map(
      ({ step, done, href }): StepView => ({
        step,
        done,
        state: t(done ? 'done' : 'toDo'),
        title: t(`activation_${step}`),
        text: t(`activation_${step}Text`),
        link: done ? null : { href, text: t(`activation_${step}Go`) },
      }),
    ),
    requested: requestedAt === null ? null : t('activationRequested', { time: formatInstant(requestedAt, locale) }),
    /** The label of the button that asks the operator. Null if the role does not allow this, or somebody has asked already. */
    request: requestedAt === null && roleMay(role, 'settings.change') ? t('activationRequest') : null,
  };
}

/** For some kinds of items: the filter with which the bill list shows the bills concerned. Other kinds get no link to a filtered list. */
const FILTERS: Partial<Record<AttentionKind, Partial<BillFilter>>> = {
  network_failing: { period: 'today', by: 'ended', reason: 'provider_unavailable' },
  payments_unknown: { unknown: true },
  bills_overpaid: { overpaid: true },
  prompts_limited: { period: 'today', by: 'ended', reason: 'too_many_prompts' },
};
/** The page to which an item of this kind links, if that is not the main page of its section. */
const PAGES: Partial<Record<AttentionKind, string>> = { deliveries_exhausted: 'webhooks/resend' };

export type AttentionView = ReturnType<typeof presentAttention>;

/**
 * Returns the items that need attention as texts, each with links to fix it.
 * `webhook` is false if no webhook address is set: then the texts do not mention webhooks.
 */
export function presentAttention(
  { items, webhook }: { readonly items: readonly AttentionItem[]; readonly webhook: boolean },
  place: Place,
  locale: Locale,
) {
  const t = translator(locale, 'Overview');
  return {
    title: t('attention'),
    /** Shown if there are no items. */
    calm: { title: t('calmTitle'), text: t(webhook ? 'calmText' : 'calmTextNoWebhook') },
    items: items.map((item) => ({
      kind: item.kind,
      tone: item.severity,
      severity: t(item.severity === 'bad' ? 'urgent' : 'toSee'),
      ...describeAttention(item, locale),
      links: linksOf(item, place, locale),
    })),
  };
}

function linksOf({ kind, bills, page, count }: AttentionItem, place: Place, locale: Locale) {
  const t = translator(locale, 'Overview');
  if (kind === 'merchant_pending') {
    if (place.environment === 'sandbox') return [];
    return [{ href: dashboardPath({ ...place, environment: 'sandbox', page: 'overview' }), text: t('open_merchant') }];
  }
  const named = bills.map(({ id, reference }) => ({
    href: dashboardPath({ ...place, page: `bills/${id}` }),
    text: t('bill', { reference }),
  }));
  const filter = FILTERS[kind];
  if (filter && kind === 'bills_overpaid') return [{ href: listLinks(place).filtered(filter), text: t('open_overpaid') }, ...named];
  const href = filter ? listLinks(place).filtered(filter) : page === null ? null : dashboardPath({ ...place, page: PAGES[kind] ?? page });
  const all = href === null || page === null ? [] : [{ href, text: t(`open_${page}`) }];
  // The page of refunds is where people do something about them, so its link comes first.
  if (page === 'refunds') return [...all, ...named];
  return named.length > 0 && named.length >= count ? named : [...named, ...all];
}

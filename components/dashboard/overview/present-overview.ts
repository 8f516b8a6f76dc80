import type { Role } from '@/lib/accounts/permissions';
import { formatClock } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { AttentionKind } from '@/lib/overview/attention-rules';
import type { Overview } from '@/lib/overview/show-overview';
import type { Place } from './list-links';
import { presentAttention } from './present-attention';
import { presentDays, presentHours } from './present-charts';
import { presentCollected, presentNetworks, presentSuccess, presentUnpaid } from './present-figures';
import { presentActivation, presentGuide } from './present-steps';

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

import type { IconName } from '@/components/ui/icon';
import { type Alert, type AlertKind, pageOf } from '@/lib/alerts/alert';
import type { Environment } from '@/lib/core/scope';
import { formatMoney, formatRecent } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

export type AlertTone = 'good' | 'wait' | 'bad' | 'quiet';

/** A notification as it is shown. */
export interface AlertRow {
  readonly id: string;
  /** Whether the notification is about a payment. Only payments are also announced by a sound and in the title of the tab. */
  readonly paid: boolean;
  readonly tone: AlertTone;
  readonly icon: IconName;
  readonly title: string;
  /** What the notification is about, for example the bill's reference; null if there is nothing to add to the title. */
  readonly detail: string | null;
  readonly at: string;
  /** The address of the page about the bill, import or other object of the notification. */
  readonly href: string;
  readonly unread: boolean;
}

const LOOKS: Readonly<Record<AlertKind, { readonly tone: AlertTone; readonly icon: IconName }>> = {
  payment: { tone: 'good', icon: 'check' },
  reversal: { tone: 'bad', icon: 'back' },
  correction: { tone: 'wait', icon: 'sliders' },
  unmatched: { tone: 'wait', icon: 'warning' },
  unknown: { tone: 'wait', icon: 'question' },
  review: { tone: 'wait', icon: 'warning' },
  endpoint: { tone: 'bad', icon: 'send' },
  import: { tone: 'quiet', icon: 'upload' },
  member: { tone: 'quiet', icon: 'person' },
  lock: { tone: 'bad', icon: 'lock' },
  link: { tone: 'wait', icon: 'person' },
};
const OVERPAID = { tone: 'wait', icon: 'rise' } as const;

interface RowOptions {
  readonly readUntil: Date;
  readonly now: Date;
  readonly locale: Locale;
  /** Returns the address of a page of the merchant's environment. */
  readonly path: (page: string) => string;
}

/** Returns a notification as it is shown to one member. */
export function alertRow(alert: Alert, { readUntil, now, locale, path }: RowOptions): AlertRow {
  const { id, kind, at, overpaid } = alert;
  return {
    id,
    paid: kind === 'payment',
    ...(overpaid > 0n ? OVERPAID : LOOKS[kind]),
    ...alertText(alert, locale),
    at: formatRecent(at, now, locale),
    href: path(pageOf(alert)),
    unread: at > readUntil,
  };
}

/** Returns the words of a push. A push appears outside of Bili, so its title says if it comes from the sandbox. */
export function pushText(alert: Alert, locale: Locale, merchant: { readonly name: string; readonly environment: Environment }) {
  const { title, detail } = alertText(alert, locale);
  const sandbox = merchant.environment === 'sandbox' ? `${translator(locale, 'Dashboard')('sandbox')}: ` : '';
  return { title: sandbox + title, body: [detail, merchant.name].filter(Boolean).join(' · ') };
}

/** Returns the words of a notification. */
function alertText(alert: Alert, locale: Locale): Pick<AlertRow, 'title' | 'detail'> {
  const t = translator(locale, 'Alerts');
  const { kind, name, count, bill, overpaid } = alert;
  const amount = alert.amount === null ? null : formatMoney(kind === 'reversal' && alert.amount < 0n ? -alert.amount : alert.amount);
  const detail = bill?.reference ?? null;
  switch (kind) {
    case 'endpoint':
      return { title: t('endpoint'), detail: t('endpointText') };
    case 'import':
      return { title: t('import', { count: count ?? 0 }), detail: name };
    case 'member':
      return { title: t('member', { name: name ?? '' }), detail: null };
    case 'lock':
      return { title: t('lock', { name: name ?? '' }), detail: t('lockText') };
    case 'link':
      return { title: t('link', { name: name ?? '' }), detail: t('linkText') };
    case 'review':
      return { title: amount === null ? t('review') : t('reviewOf', { amount }), detail };
    case 'payment':
      return {
        title:
          overpaid > 0n ? t('overpaid', { amount: amount ?? '', more: formatMoney(overpaid) }) : t('payment', { amount: amount ?? '' }),
        detail,
      };
    default:
      return { title: t(kind, { amount: amount ?? '' }), detail };
  }
}

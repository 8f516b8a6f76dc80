import type { Look } from '@/components/ui/badge';
import { type Alert, type AlertKind, pageOf, topicOf } from '@/lib/backoffice/alerts/alert';
import type { Environment } from '@/lib/platform/core/scope';
import { formatAmount, formatClock, formatExactInstant, formatMoney, formatRecent } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** A notification as it is shown. */
export type AlertRow = ReturnType<typeof alertRow>;

const LOOKS: Readonly<Record<AlertKind, Look>> = {
  payment: { tone: 'good', icon: 'check' },
  reversal: { tone: 'bad', icon: 'back' },
  refund: { tone: 'quiet', icon: 'back' },
  correction: { tone: 'quiet', icon: 'sliders' },
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
export function alertRow(alert: Alert, { readUntil, now, locale, path }: RowOptions) {
  const { id, kind, at, overpaid } = alert;
  return {
    id,
    /** Whether the notification is about a payment. Only payments are also announced by a sound and in the title of the tab. */
    paid: kind === 'payment',
    ...(overpaid > 0n ? OVERPAID : LOOKS[kind]),
    ...alertText(alert, locale),
    short: shortText(alert, locale),
    /** Negative if money left the bill. Null if nothing was paid or refunded. */
    amount: topicOf(kind) === 'news' && kind !== 'import' && alert.amount !== null ? formatAmount(alert.amount) : null,
    at: { text: formatRecent(at, now, locale), clock: formatClock(at), exact: formatExactInstant(at, locale) },
    /** The address of the page about the bill, import or other object of the notification. */
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

/** Returns the words of a row that shows the amount in a column of its own: what it is about, and what happened to it. */
function shortText({ kind, name, count, bill, overpaid }: Alert, locale: Locale): { readonly about: string; readonly text: string } {
  const t = translator(locale, 'Alerts');
  const about = bill?.reference ?? name ?? '';
  if (kind === 'import') return { about, text: t('import', { count: count ?? 0 }) };
  if (overpaid > 0n) return { about, text: t('overpaidShort', { more: formatMoney(overpaid) }) };
  return { about, text: kind === 'refund' || kind === 'correction' || kind === 'member' ? t(`${kind}Short`) : t('paymentShort') };
}

/** Returns the words of a notification. `detail` is null if there is nothing to add to the title. */
function alertText(alert: Alert, locale: Locale): { readonly title: string; readonly detail: string | null } {
  const t = translator(locale, 'Alerts');
  const { kind, name, count, bill, overpaid } = alert;
  const amount =
    alert.amount === null
      ? null
      : formatMoney((kind === 'reversal' || kind === 'refund') && alert.amount < 0n ? -alert.amount : alert.amount);
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

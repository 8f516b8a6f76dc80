import { Badge, type Look } from '@/components/ui/badge';
import type { DeliveryView } from '@/lib/backoffice/delivery-log/delivery-view';
import { type Bill, type BillStatus, overpaidAmount } from '@/lib/gateway/bills/rules';
import type { AttemptState } from '@/lib/gateway/payments/rules';
import { isStopped } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import type { KeyView } from '@/lib/identity/keys/key-view';
import { formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { BILL_LOOKS } from './bill-looks';

const ATTEMPTS: Readonly<Record<AttemptState, Look>> = {
  QUEUED: { tone: 'quiet', icon: 'clock' },
  SENDING: { tone: 'busy', icon: 'send' },
  AWAITING_CUSTOMER: { tone: 'busy', icon: 'phone' },
  UNKNOWN: { tone: 'wait', icon: 'question' },
  SUCCEEDED: { tone: 'good', icon: 'check' },
  FAILED: { tone: 'bad', icon: 'cross' },
  EXPIRED: { tone: 'bad', icon: 'hourglass' },
  CANCELLED: { tone: 'quiet', icon: 'ban' },
};

const DELIVERIES: Readonly<Record<DeliveryView['state'] | 'RETRYING' | 'STOPPED', Look>> = {
  BLOCKED: { tone: 'quiet', icon: 'clock' },
  PENDING: { tone: 'quiet', icon: 'send' },
  SENDING: { tone: 'busy', icon: 'send' },
  UNSENT: { tone: 'quiet', icon: 'circle' },
  RETRYING: { tone: 'wait', icon: 'retry' },
  STOPPED: { tone: 'wait', icon: 'pause' },
  DELIVERED: { tone: 'good', icon: 'check' },
  EXHAUSTED: { tone: 'bad', icon: 'cross' },
};

const KEYS: Readonly<Record<KeyView['state'], Look>> = {
  active: { tone: 'good', icon: 'check' },
  revoked: { tone: 'bad', icon: 'ban' },
  expired: { tone: 'quiet', icon: 'hourglass' },
};

export function BillBadge({ status, locale }: { readonly status: BillStatus; readonly locale: Locale }) {
  return <Badge {...BILL_LOOKS[status]} text={translator(locale, 'Status')(status)} />;
}

export function AttemptBadge({ state, locale }: { readonly state: AttemptState; readonly locale: Locale }) {
  return <Badge {...ATTEMPTS[state]} text={translator(locale, 'Attempt')(state)} />;
}

interface DeliveryBadgeProps {
  readonly delivery: Pick<DeliveryView, 'state' | 'attemptCount' | 'hold'>;
  readonly locale: Locale;
}

/** The state of a delivery. A pending delivery is shown as waiting, retrying, or stopped until somebody resumes the endpoint. */
export function DeliveryBadge({ delivery: { state, attemptCount, hold }, locale }: DeliveryBadgeProps) {
  const waits = isStopped(hold) ? 'STOPPED' : attemptCount > 0 ? 'RETRYING' : 'PENDING';
  const shown = state === 'PENDING' ? waits : state;
  return <Badge {...DELIVERIES[shown]} text={translator(locale, 'Webhooks')(`state_${shown}`)} />;
}

export function KeyBadge({ state, locale }: { readonly state: KeyView['state']; readonly locale: Locale }) {
  return <Badge {...KEYS[state]} text={translator(locale, 'Keys')(state)} />;
}

/** Returns the excess of an overpaid bill without the currency: `7,000`. */
export function excessText(bill: Pick<Bill, 'amount' | 'paidAmount'>): string {
  return formatMoney(overpaidAmount(bill)).replace(/^TZS\s/, '');
}

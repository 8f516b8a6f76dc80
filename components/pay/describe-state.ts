import type { UnpaidReason } from '@/lib/gateway/attempts/unpaid-attempt';
import { isOverpaid, overpaidAmount, remainingAmount } from '@/lib/gateway/bills/rules';
import type { OpenPrompt } from '@/lib/gateway/payment-page/pay-state';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import { RELEASE_AFTER_MS } from '@/lib/gateway/payments/rules';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { formatMobile, maskMobile } from '@/lib/platform/core/mobile';
import { isolated } from '@/lib/platform/core/text';
import { formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { IconName } from './icon';

/** The icon, colour and texts of a state. */
interface StateWords {
  readonly icon: IconName;
  /** The colour of the card: action required, wait, good, bad, or neutral. */
  readonly tone: 'do' | 'wait' | 'good' | 'bad' | 'rest';
  readonly title: string;
  readonly texts: readonly string[];
}

const REASON_ICONS: Readonly<Record<UnpaidReason, IconName>> = {
  user_cancelled: 'cross',
  wrong_pin: 'pin',
  insufficient_funds: 'wallet',
  user_timeout: 'clock',
  limit_exceeded: 'wallet',
  mobile_not_registered: 'cross',
  amount_invalid: 'cross',
  no_provider: 'signal',
  merchant_config: 'signal',
  provider_unavailable: 'signal',
  not_sent_in_time: 'clock',
  rejected: 'cross',
  expired: 'clock',
  released: 'question',
  reversed: 'back',
  not_counted: 'question',
  too_many_prompts: 'pause',
  number_refused: 'lock',
  not_completed: 'clock',
};

/** Returns the mobile number of an attempt. It is masked if this device did not start the attempt. */
export function shownMobile({ attempt, own }: Pick<OpenPrompt, 'own'> & { readonly attempt: { readonly mobile: string } }): string {
  return own ? formatMobile(attempt.mobile) : maskMobile(attempt.mobile);
}

/** The reasons after which the same request can succeed. After any other reason, the customer must change the number or ask the shop. */
const RETRYABLE: ReadonlySet<UnpaidReason> = new Set<UnpaidReason>([
  'user_cancelled',
  'wrong_pin',
  'insufficient_funds',
  'user_timeout',
  'provider_unavailable',
  'not_sent_in_time',
  'rejected',
  'expired',
  'released',
  'reversed',
]);

/** Returns whether the page offers to repeat this device's last request. */
export function canRetry({ state, form }: PayPage): boolean {
  return form?.again != null && state.kind === 'ready' && state.failure !== null && RETRYABLE.has(state.failure.reason);
}

/** The reasons after which money may still arrive. They are not shown in red, because red would mean that the payment failed. */
const OPEN_REASONS: ReadonlySet<UnpaidReason> = new Set<UnpaidReason>(['expired', 'user_timeout', 'released', 'not_completed']);

export function describeState(page: PayPage, locale: Locale): StateWords {
  const { bill, state } = page;
  const t = translator(locale, 'Pay');
  const merchant = isolated(bill.merchantName);
  switch (state.kind) {
    case 'paid':
      return {
        icon: 'check',
        tone: 'good',
        title: t('paidTitle'),
        texts: [t('paidText', { merchant, amount: formatMoney(bill.paidAmount) })],
      };
    case 'overpaid':
      return { icon: 'plus', tone: 'wait', title: t('overpaidTitle'), texts: [overpaidText(bill, locale)] };
    case 'decline': {
      const remaining = formatMoney(remainingAmount(bill));
      const paid = bill.status === 'FULLY_PAID';
      return {
        icon: 'stop',
        tone: 'wait',
        title: paid ? t('declinePaidTitle') : t('declinePartTitle', { remaining }),
        texts: [
          ...state.prompts.map((prompt) => declineText(prompt, locale)),
          ...(paid ? [] : [t('declinePartText', { remaining })]),
          ...(isOverpaid(bill) ? [overpaidText(bill, locale)] : []),
        ],
      };
    }
    case 'sending':
    case 'queued':
    case 'unknown':
    case 'prompted':
      return promptWords(state, locale);
    case 'closed':
      return hasExpired(bill)
        ? { icon: 'clock', tone: 'rest', title: t('expiredTitle'), texts: [t('expiredText')] }
        : { icon: 'lock', tone: 'rest', title: t('closedTitle'), texts: [t('closedText', { merchant })] };
    case 'inactive':
      return { icon: 'pause', tone: 'rest', title: t('inactiveTitle'), texts: [t('inactiveText', { merchant })] };
    case 'unserved':
      return { icon: 'signal', tone: 'rest', title: t('unservedTitle'), texts: [t('nothingServed')] };
    case 'ready': {
      const { failure } = state;
      if (failure) {
        // If the page has the button that repeats the request, the button names the number and the amount, so the text does not. After a
        // reversal, the money has been received once: the request is over.
        const tried =
          canRetry(page) || failure.reason === 'reversed'
            ? []
            : [t('triedFor', { amount: formatMoney(failure.attempt.amount), mobile: shownMobile(failure) })];
        return {
          icon: REASON_ICONS[failure.reason],
          tone: OPEN_REASONS.has(failure.reason) ? 'wait' : 'bad',
          title: translator(locale, 'ReasonTitle')(failure.reason),
          texts: [translator(locale, 'Reason')(failure.reason), ...tried],
        };
      }
      if (bill.status === 'NOT_PAID') return { icon: 'bill', tone: 'do', title: t('readyTitle'), texts: [] };
      return { icon: 'part', tone: 'do', title: t('partTitle'), texts: [] };
    }
  }
}

/** Returns whether a closed bill is closed because it has expired, and not because the merchant closed it before. */
function hasExpired({ expiresAt, closedAt }: PayPage['bill']): boolean {
  return expiresAt !== null && (closedAt === null || closedAt >= expiresAt);
}

/**
 * Returns the texts about an open prompt. They are different on a device that did not request the prompt: the person there may only have
 * the link of the bill, and not the phone with the prompt.
 */
function promptWords(prompt: OpenPrompt, locale: Locale): StateWords {
  const t = translator(locale, 'Pay');
  const { kind, attempt, own, promptName } = prompt;
  const about = { amount: formatMoney(attempt.amount), mobile: shownMobile(prompt) };
  if (kind === 'sending') return { icon: 'phone', tone: 'do', title: t('sendingTitle'), texts: [t('sendingText', about)] };
  if (kind === 'queued') return { icon: 'signal', tone: 'wait', title: t('queuedTitle'), texts: [t('queuedText', about)] };
  if (kind === 'unknown') {
    const texts = [t('unknownText', { ...about, minutes: RELEASE_AFTER_MS / MINUTE_MS })];
    return { icon: 'question', tone: 'wait', title: t('unknownTitle'), texts };
  }
  const check = promptName === null ? t('promptedCheck') : t('promptedName', { ...about, name: promptName });
  if (own) return { icon: 'phone', tone: 'do', title: t('promptedTitle'), texts: [t('promptedText'), check] };
  const title = t('promptedOtherTitle', { ...about, digits: attempt.mobile.slice(-3) });
  return { icon: 'phone', tone: 'do', title, texts: [t('promptedOtherText'), check] };
}

function overpaidText(bill: PayPage['bill'], locale: Locale): string {
  const amounts = { paid: formatMoney(bill.paidAmount), extra: formatMoney(overpaidAmount(bill)) };
  return translator(locale, 'Pay')('overpaidText', { merchant: isolated(bill.merchantName), ...amounts });
}

function declineText(prompt: OpenPrompt, locale: Locale): string {
  const about = { amount: formatMoney(prompt.attempt.amount), mobile: shownMobile(prompt) };
  return translator(locale, 'Pay')(prompt.kind === 'unknown' ? 'declineUnknown' : 'declinePrompt', about);
}

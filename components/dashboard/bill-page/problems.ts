import { mobileProblemText } from '@/components/pay/form-problem';
import type { AskRefusal } from '@/lib/backoffice/bill-page/bill-instruments';
import type { RecordRefusal } from '@/lib/gateway/ledger/record-payment';
import { SMALLEST_PART, WALLET_LIMITS } from '@/lib/gateway/prompts/decide-prompt';
import type { PromptAgainProblem } from '@/lib/gateway/prompts/prompt-again';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { mobileProblem } from '@/lib/platform/core/mobile';
import { WALLETS } from '@/lib/platform/core/network';
import { formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { PaymentRequestField } from './forms';

type Problems = Readonly<Partial<Record<PaymentRequestField | 'all', string>>>;

/** Returns why no prompt was sent, as a text for the field that it concerns. @param mobile the mobile number as it was typed */
export function paymentRequestProblem(refusal: PromptAgainProblem, mobile: string, locale: Locale): Problems {
  const t = translator(locale, 'AskPhone');
  switch (refusal.kind) {
    case 'not_allowed':
    case 'second_factor_due':
    case 'not_found':
    case 'form_invalid':
      return { all: translator(locale, 'BillPage')(refusal.kind) };
    case 'closed':
    case 'nothing_left':
      return { all: t(refusal.kind) };
    case 'inactive':
    case 'all_asked':
      return { all: t(`why_${refusal.kind}`) };
    case 'mobile_invalid':
      return { mobile: mobileProblemText(mobileProblem(mobile), locale) };
    case 'already_open':
    case 'refused':
      return { mobile: t(refusal.kind) };
    case 'too_many':
      // The time is rounded up to a whole minute, because the displayed time must not be too early.
      return { mobile: t('too_many', { time: formatInstant(addMs(refusal.until, MINUTE_MS - 1), locale) }) };
    case 'network_invalid':
      return { network: t('network_invalid') };
    case 'not_served':
      return { network: t('not_served', { wallet: WALLETS[refusal.network] }) };
    case 'above_wallet': {
      const max = formatMoney(WALLET_LIMITS[refusal.network]);
      return { amount: t('above_wallet', { wallet: WALLETS[refusal.network], max }) };
    }
    case 'amount_wrong': {
      const { problem, payable } = refusal;
      if (problem === 'amountAboveWallet') return { amount: t('amountInvalid') };
      return { amount: t(problem, { min: formatMoney(SMALLEST_PART), max: formatMoney(payable) }) };
    }
  }
}

/** Returns the texts of a refusal to record a payment, by field. */
export function recordProblem(refusal: RecordRefusal | { readonly code: 'kind_wrong' }, locale: Locale) {
  const t = translator(locale, 'RecordPayment');
  switch (refusal.code) {
    case 'prompt_open':
      return { amount: t('prompt_open', { reserved: formatMoney(refusal.reserved), left: formatMoney(refusal.left) }) };
    case 'more_than_due':
      return { overpay: t('more_than_due', { left: formatMoney(refusal.left) }) };
    case 'amount_invalid':
      return { amount: t('amount_invalid') };
    case 'received_at_invalid':
      return { day: t('received_at_invalid') };
    case 'slip_used':
    case 'slip_too_long':
      return { slip: t(refusal.code) };
    case 'note_too_long':
      return { note: t('note_too_long') };
    case 'kind_wrong':
      return { kind: t('kind_wrong') };
    case 'bill_not_found':
      return { all: translator(locale, 'BillPage')('not_found') };
    case 'idempotency_key_reused':
      return { all: t('idempotency_key_reused') };
    default:
      return { all: translator(locale, 'BillPage')(refusal.code) };
  }
}

/** Returns the text of a refusal to ask for instruments. */
export function askWaysProblem(refusal: AskRefusal, locale: Locale): string {
  switch (refusal) {
    case 'not_payable':
    case 'not_offered':
    case 'too_many':
      return translator(locale, 'BillWays')(refusal);
    default:
      return translator(locale, 'BillPage')(refusal);
  }
}

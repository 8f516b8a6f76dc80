import { mobileProblemText } from '@/components/pay/form-problem';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { mobileProblem } from '@/lib/core/mobile';
import { WALLETS } from '@/lib/core/network';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { PromptAgainProblem } from '@/lib/payments/prompts/prompt-again';
import { SMALLEST_PART, WALLET_LIMITS } from '@/lib/payments/prompts/wallet-limits';
import type { PaymentRequestState } from './payment-request-form';

/** Returns why no prompt was sent, as a text, and the field that it concerns. @param mobile the mobile number as it was typed */
export function paymentRequestProblem(refusal: PromptAgainProblem, mobile: string, locale: Locale): PaymentRequestState['problem'] {
  const t = translator(locale, 'AskPhone');
  switch (refusal.kind) {
    case 'not_allowed':
    case 'second_factor_due':
    case 'not_found':
    case 'form_invalid':
      return { field: null, text: translator(locale, 'BillPage')(refusal.kind) };
    case 'closed':
    case 'nothing_left':
      return { field: null, text: t(refusal.kind) };
    case 'inactive':
    case 'all_asked':
      return { field: null, text: t(`why_${refusal.kind}`) };
    case 'mobile_invalid':
      return { field: 'mobile', text: mobileProblemText(mobileProblem(mobile), locale) };
    case 'already_open':
    case 'refused':
      return { field: 'mobile', text: t(refusal.kind) };
    case 'too_many':
      // The time is rounded up to a whole minute, because the displayed time must not be too early.
      return { field: 'mobile', text: t('too_many', { time: formatInstant(addMs(refusal.until, MINUTE_MS - 1), locale) }) };
    case 'network_invalid':
      return { field: 'network', text: t('network_invalid') };
    case 'not_served':
      return { field: 'network', text: t('not_served', { wallet: WALLETS[refusal.network] }) };
    case 'above_wallet': {
      const max = formatMoney(WALLET_LIMITS[refusal.network]);
      return { field: 'amount', text: t('above_wallet', { wallet: WALLETS[refusal.network], max }) };
    }
    case 'amount_wrong': {
      const { problem, payable } = refusal;
      if (problem === 'amountAboveWallet') return { field: 'amount', text: t('amountInvalid') };
      return { field: 'amount', text: t(problem, { min: formatMoney(SMALLEST_PART), max: formatMoney(payable) }) };
    }
  }
}

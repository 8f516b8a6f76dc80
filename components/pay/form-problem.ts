import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import type { AmountProblem } from '@/lib/gateway/prompts/decide-prompt';
import { SMALLEST_PART, WALLET_LIMITS } from '@/lib/gateway/prompts/decide-prompt';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import type { MobileProblem } from '@/lib/platform/core/mobile';
import { type Network, type OperatedNetwork, WALLETS } from '@/lib/platform/core/network';
import { formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

/** A submitted form and its validation error. */
export interface FormProblem {
  readonly values: FormValues;
  readonly problem: Problem;
}

/** The values of the form as they were typed. */
export interface FormValues {
  readonly mobile: string;
  readonly amount: string | null;
  readonly chosen: OperatedNetwork | null;
  readonly remember: boolean;
}

export type Problem =
  | { readonly field: 'mobile'; readonly kind: 'tooManyBytes' | 'numberRefused' }
  | ({ readonly field: 'mobile' } & MobileProblem)
  /** Too many prompts: which limit is reached, and when the next prompt is possible. */
  | { readonly field: 'mobile'; readonly kind: 'tooMany'; readonly limit: 'number' | 'bill'; readonly until: Date }
  | { readonly field: 'network'; readonly kind: 'networkInvalid' }
  /** `network` is the network that the prompt would have used. */
  | { readonly field: 'network'; readonly kind: 'notServed'; readonly network: Network }
  | { readonly field: 'amount'; readonly kind: AmountProblem; readonly network?: Network };

export function problemText({ values, problem }: FormProblem, { form, offer }: PayPage, locale: Locale): string {
  const t = translator(locale, 'Pay');
  switch (problem.kind) {
    case 'mobileTooShort':
    case 'mobileTooLong':
    case 'mobileForeign':
    case 'mobileLandline':
    case 'mobileInvalid':
      return mobileProblemText(problem, locale);
    case 'tooManyBytes':
    case 'numberRefused':
    case 'networkInvalid':
      return t(problem.kind);
    case 'tooMany': {
      // The time is rounded up to a whole minute, because the displayed time must not be too early.
      const time = formatInstant(addMs(problem.until, MINUTE_MS - 1), locale);
      return t(problem.limit === 'number' ? 'tooManyToNumber' : 'tooManyForBill', { time });
    }
    case 'notServed':
      if (!offer || offer.networks.length === 0) return t('nothingServed');
      if (problem.network === 'other') return t('networkUnknown');
      return t(values.chosen === null ? 'numberNotServed' : 'networkNotServed', { wallet: WALLETS[problem.network] });
    case 'amountAboveWallet': {
      const network = problem.network ?? 'other';
      return t('amountAboveWallet', { wallet: WALLETS[network], max: formatMoney(WALLET_LIMITS[network]) });
    }
    default: {
      const max = form?.amounts?.max ?? form?.payable ?? 0n;
      return t(problem.kind, { min: formatMoney(SMALLEST_PART), max: formatMoney(max) });
    }
  }
}

/** Says what is wrong with a typed number. */
export function mobileProblemText(problem: MobileProblem, locale: Locale): string {
  const t = translator(locale, 'Pay');
  return 'digits' in problem ? t(problem.kind, { digits: problem.digits }) : t(problem.kind);
}

import type { ReactNode } from 'react';
import { formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { AmountChoice } from '@/lib/payments/prompts/choose-amount';
import { USUAL_LIMIT } from '@/lib/payments/prompts/wallet-limits';

interface AmountFieldProps {
  readonly choice: AmountChoice;
  /** The value of the field. */
  readonly value: string;
  /** The validation error, or null. */
  readonly problem: ReactNode;
  readonly locale: Locale;
}

/** The amount to pay now. */
export function AmountField({ choice, value, problem, locale }: AmountFieldProps) {
  const t = translator(locale, 'Pay');
  return (
    <>
      <label htmlFor="amount">{t('amountLabel')}</label>
      <input
        id="amount"
        name="amount"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        required
        maxLength={30}
        defaultValue={value}
        aria-describedby={problem ? 'problem amount-hint' : 'amount-hint'}
        aria-invalid={problem ? true : undefined}
      />
      {problem}
      <p id="amount-hint" className="hint">
        {t('amountHint', { min: formatMoney(choice.min), max: formatMoney(choice.max) })}{' '}
        {choice.because === 'wallet_limit' && t('amountAboveUsual', { limit: formatMoney(USUAL_LIMIT) })}
      </p>
    </>
  );
}

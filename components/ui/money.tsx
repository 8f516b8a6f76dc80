import type { Senti } from '@/lib/core/money';
import { CURRENCY, formatAmount } from '@/lib/i18n/format';

const SIZES = {
  figure: 'text-figure',
  /** The amount is smaller when it is printed, because the paper may be a roll that is only 80 mm wide. */
  printed: 'text-figure print:text-subfigure',
  text: '',
} as const;

interface MoneyProps {
  readonly amount: Senti;
  /** Use `figure` only for the most important figure of a page. */
  readonly size?: keyof typeof SIZES;
}

/**
 * An amount. The currency is small, so that the digits stand out. On a narrow screen, the currency of a large figure may be on a line of
 * its own.
 */
export function Money({ amount, size = 'text' }: MoneyProps) {
  return (
    <span
      // Another amount is another element, for the same reason as in Badge.
      key={amount.toString()}
      className={`tabular-nums wrap-anywhere ${SIZES[size]}`}
    >
      <span className={size === 'text' ? 'text-muted' : 'text-[0.5em] font-semibold text-muted'}>{CURRENCY}</span>
      {size === 'text' ? '\u00a0' : ' '}
      {formatAmount(amount)}
    </span>
  );
}

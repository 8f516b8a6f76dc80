import type { Senti } from '@/lib/core/money';
import { CURRENCY, formatAmount } from '@/lib/i18n/format';

const SIZES = {
  figure: 'text-figure',
  /** The amount is smaller on paper, which may be a roll of 80 mm. */
  printed: 'text-figure print:text-subfigure',
  text: '',
} as const;

interface MoneyProps {
  readonly amount: Senti;
  /** Use `figure` only for the most important figure of a page. */
  readonly size?: keyof typeof SIZES;
}

/** An amount. The currency is small, so that the digits stand out. A large figure may have it on a line of its own on a narrow screen. */
export function Money({ amount, size = 'text' }: MoneyProps) {
  return (
    <span className={`tabular-nums wrap-anywhere ${SIZES[size]}`}>
      <span className={size === 'text' ? 'text-muted' : 'text-[0.5em] font-semibold text-muted'}>{CURRENCY}</span>
      {size === 'text' ? '\u00a0' : ' '}
      {formatAmount(amount)}
    </span>
  );
}

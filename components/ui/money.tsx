const SIZES = {
  /** Only for the most important figure of a page. */
  figure: 'text-figure',
  subfigure: 'text-subfigure',
  /** The amount is smaller when it is printed, because the paper may be a roll that is only 80 mm wide. */
  printed: 'text-figure print:text-subfigure',
} as const;

/** From this number of characters on, an amount gets smaller digits, so that it stays on one line of a phone. */
const LONG = 10;

/** Returns the class for the size of an amount. @param digits the amount without the currency. */
export function amountClass(digits: string, size: keyof typeof SIZES): string {
  return digits.length < LONG ? SIZES[size] : 'text-long';
}

interface MoneyProps {
  /** A formatted amount: `TZS 1,908,850`. */
  readonly text: string;
  readonly size: keyof typeof SIZES;
}

/** An amount in large digits, with the currency in small letters. It is never broken into two lines, because people would read only the first. */
export function Money({ text, size }: MoneyProps) {
  const [currency = '', digits = ''] = text.split('\u00a0');
  return (
    <span
      // Another amount is another element, for the same reason as in Badge.
      key={text}
      className={`whitespace-nowrap tabular-nums ${amountClass(digits, size)}`}
    >
      <span className="text-[0.5em] font-semibold text-muted">{currency}</span>
      {'\u00a0'}
      {digits}
    </span>
  );
}

import Link from 'next/link';

/** From this number of characters on, an amount gets the smaller size, so that it stays on one line of a phone. */
const LONG = 12;

interface AmountProps {
  /** A formatted amount: `TZS 1,908,850`. */
  readonly text: string;
  readonly href: string;
  /** Use `figure` only for the most important figure of the page. */
  readonly size: 'figure' | 'subfigure';
}

/** An amount in large digits, with the currency in small letters. It is a link to the bills that it counts. */
export function Amount({ text, href, size }: AmountProps) {
  const [currency = '', digits = ''] = text.split('\u00a0');
  const large = size === 'figure' && digits.length < LONG;
  return (
    <p className={`whitespace-nowrap tabular-nums ${large ? 'text-figure' : 'text-subfigure'}`}>
      <Link href={href} prefetch={false} className="hover:underline">
        <span className="text-[0.5em] font-semibold text-muted">{currency}</span>
        {'\u00a0'}
        {digits}
      </Link>
    </p>
  );
}

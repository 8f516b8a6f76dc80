import { type Locale, translator } from '@/lib/i18n/translator';

interface PayLinksProps {
  /** The bill's page. */
  readonly here: string;
  readonly receipt: boolean;
  readonly shared: boolean;
  readonly locale: Locale;
}

/** To the bill's other views: its receipt, as soon as something is paid, and its QR code, while something is left to pay. */
export function PayLinks({ here, receipt, shared, locale }: PayLinksProps) {
  if (!receipt && !shared) return null;
  return (
    <p className="center screen">
      {receipt && <a href={`${here}&show=receipt`}>{translator(locale, 'Receipt')('open')}</a>}
      {shared && <a href={`${here}&show=qr`}>{translator(locale, 'Share')('open')}</a>}
    </p>
  );
}

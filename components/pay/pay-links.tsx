import { type Locale, translator } from '@/lib/i18n/translator';

interface PayLinksProps {
  /** The address of the bill's page. */
  readonly here: string;
  readonly receipt: boolean;
  readonly shared: boolean;
  readonly locale: Locale;
}

/** Links to the receipt, if anything is paid, and to the QR code, if anything is left to pay. */
export function PayLinks({ here, receipt, shared, locale }: PayLinksProps) {
  if (!receipt && !shared) return null;
  return (
    <p className="center screen">
      {receipt && <a href={`${here}&show=receipt`}>{translator(locale, 'Receipt')('open')}</a>}
      {shared && <a href={`${here}&show=qr`}>{translator(locale, 'Share')('open')}</a>}
    </p>
  );
}

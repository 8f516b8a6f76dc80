import { QrCode } from '@/components/pay/qr-code';
import { ButtonLink } from '@/components/ui/links';
import { Money } from '@/components/ui/money';
import { Texts } from '@/components/ui/texts';
import type { BillCode } from '@/lib/bills/bulk/list-codes';
import type { Locale } from '@/lib/i18n/locale';
import { pickMessages, translator } from '@/lib/i18n/translator';
import { PrintButton } from './print-button';

interface CodeSheetProps {
  readonly codes: readonly BillCode[];
  /** The number of selected bills that get no card. */
  readonly omitted: number;
  readonly shop: string;
  /** The address of the list. */
  readonly back: string;
  readonly locale: Locale;
}

/** Cards with the shop, the amount, the reference and the QR code of each bill. Eight of them fit on an A4 page. */
export function CodeSheet({ codes, omitted, shop, back, locale }: CodeSheetProps) {
  const t = translator(locale, 'PrintCodes');
  return (
    <Texts locale={locale} messages={pickMessages(locale, ['PrintCodes'])}>
      <main className="mx-auto grid max-w-[210mm] gap-4 p-4 print:block print:max-w-none print:p-0">
        <div className="grid gap-3 print:hidden">
          <h1 className="text-title">{t('title')}</h1>
          <p className="text-muted">
            {codes.length > 0 ? t('intro', { count: codes.length }) : t('none')}{' '}
            {codes.length > 0 && omitted > 0 && t('omitted', { count: omitted })}
          </p>
          <div className="flex flex-wrap gap-3">
            {codes.length > 0 && <PrintButton />}
            <ButtonLink href={back}>{t('back')}</ButtonLink>
          </div>
        </div>
        {codes.length > 0 && (
          <ul className="grid gap-px border border-line bg-line sm:grid-cols-2 print:block print:columns-2 print:gap-0 print:border-0 print:bg-transparent">
            {codes.map(({ bill, remaining, webPayUrl }) => (
              <li
                key={bill.id}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-4 bg-surface p-4 text-ink scheme-light print:h-[67mm] print:break-inside-avoid print:border print:border-dashed print:border-edge"
              >
                <div className="min-w-0">
                  <p className="line-clamp-2 font-semibold wrap-anywhere">{shop}</p>
                  <p className="mt-2 text-subfigure">
                    <Money amount={remaining} />
                  </p>
                  <p className="mt-2 text-small">{t('reference')}</p>
                  <p className="line-clamp-3 font-semibold wrap-anywhere">{bill.reference}</p>
                </div>
                <div className="w-32 text-center print:w-[42mm]">
                  <QrCode text={webPayUrl} label={t('qrLabel', { reference: bill.reference })} />
                  <p className="text-small font-semibold">{t('scan')}</p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </main>
    </Texts>
  );
}

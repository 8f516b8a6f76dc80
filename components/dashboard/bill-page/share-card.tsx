import { QrCode } from '@/components/pay/qr-code';
import { CopyButton } from '@/components/ui/copied-value';
import { Fold } from '@/components/ui/fold';
import { Card } from '@/components/ui/layout';
import type { Bill } from '@/lib/bills/rules';
import { formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { ShareTexts } from './share-texts';

interface ShareCardProps {
  readonly merchant: string;
  readonly bill: Pick<Bill, 'reference' | 'mobile'>;
  readonly remaining: bigint;
  /** The short address of the bill's page. */
  readonly link: string;
  readonly locale: Locale;
}

/** The payment link and ways to send it to the customer. */
export function ShareCard({ merchant, bill: { reference, mobile }, remaining, link, locale }: ShareCardProps) {
  const t = translator(locale, 'BillPage');
  const amount = formatMoney(remaining);
  const textIn = (language: Locale) => translator(language, 'Share')('billText', { merchant, amount, reference, url: link });
  return (
    <Card id="share" title={t('share')}>
      <p className="mb-3 text-muted">{t('shareText')}</p>
      <div className="mb-4 grid items-center justify-items-start gap-2 sm:grid-cols-[minmax(0,1fr)_auto]">
        <a href={link} className="min-w-0 text-sm text-brand underline underline-offset-2 wrap-anywhere">
          {link}
        </a>
        <CopyButton value={link} text={t('copyLink')} />
      </div>
      <ShareTexts texts={{ sw: textIn('sw'), en: textIn('en') }} mobile={mobile} />
      <Fold title={t('showQr')} className="mt-3">
        <div className="mx-auto w-56 max-w-full overflow-hidden rounded-lg border border-line">
          <QrCode text={link} label={translator(locale, 'Share')('qrLabel')} />
        </div>
        <p className="mt-2 text-center text-sm">
          <a href={`${link}?show=qr`} className="font-semibold text-brand underline underline-offset-2">
            {t('qrPage')}
          </a>
        </p>
      </Fold>
    </Card>
  );
}

import { Card } from '@/components/ui/card';
import { CopiedValue } from '@/components/ui/copied-value';
import { Fold } from '@/components/ui/fold';
import { type Locale, translator } from '@/lib/i18n/translator';
import { SCANNER_CHECK, SCANNER_PATTERN } from '@/lib/keys/scanner-pattern';

/** The pattern by which secret scanners recognize a leaked key. */
export function ScannerCard({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'KeyPage');
  return (
    <Card id="scanners" title={t('scanners')}>
      <p className="max-w-prose text-muted">{t('scannersText')}</p>
      <Fold title={t('scannersCode')} className="mt-1">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-2">
          <CopiedValue label={t('pattern')} value={SCANNER_PATTERN} />
          <CopiedValue label={t('check')} value={SCANNER_CHECK} />
        </div>
      </Fold>
    </Card>
  );
}

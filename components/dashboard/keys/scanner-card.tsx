import { Card } from '@/components/ui/card';
import { CopiedValue } from '@/components/ui/copied-value';
import { type Locale, translator } from '@/lib/i18n/translator';
import { SCANNER_CHECK, SCANNER_PATTERN } from '@/lib/keys/scanner-pattern';

/** How others recognise a key that got where it should not be. */
export function ScannerCard({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'KeyPage');
  return (
    <Card id="scanners" title={t('scanners')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="max-w-prose text-muted">{t('scannersText')}</p>
        <CopiedValue label={t('pattern')} value={SCANNER_PATTERN} />
        <CopiedValue label={t('check')} value={SCANNER_CHECK} />
      </div>
    </Card>
  );
}

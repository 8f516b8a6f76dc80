import { Card } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { type Locale, translator } from '@/lib/i18n/translator';
import { SCANNER_CHECK, SCANNER_PATTERN } from '@/lib/keys/scanner-pattern';

/** How others recognise a key that got where it should not be. */
export function ScannerCard({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'KeyPage');
  const shell = translator(locale, 'Shell');
  const parts = [
    { title: t('pattern'), copy: t('copyPattern'), text: SCANNER_PATTERN },
    { title: t('check'), copy: t('copyCheck'), text: SCANNER_CHECK },
  ];
  return (
    <Card id="scanners" title={t('scanners')}>
      <p className="max-w-prose text-muted">{t('scannersText')}</p>
      {parts.map(({ title, copy, text }) => (
        <div key={title} className="mt-4">
          <p className="flex items-center justify-between gap-3">
            <span className="font-semibold">{title}</span>
            <CopyButton value={text} label={copy} copy={shell('copy')} copied={shell('copied')} />
          </p>
          <pre className="mt-1 rounded-lg bg-ground p-3 text-sm whitespace-pre-wrap wrap-anywhere">{text}</pre>
        </div>
      ))}
    </Card>
  );
}

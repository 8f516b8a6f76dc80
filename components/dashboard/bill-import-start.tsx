import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import type { ImportView } from '@/lib/bills/show-import';
import { type Locale, translator } from '@/lib/i18n/translator';

interface ImportStartProps {
  readonly view: ImportView;
  readonly action: (form: FormData) => Promise<void>;
  readonly merchant: string;
  readonly environment: string;
  readonly locale: Locale;
}

/** Says "make them", or "go on" where that was broken off. */
export function ImportStart({ view, action, merchant, environment, locale }: ImportStartProps) {
  const t = translator(locale, 'Import');
  const { file, phones, madeBefore } = view;
  if (file.errorCount > 0 || file.finishedAt) return null;
  return (
    <form action={action} className="mt-4 grid gap-2">
      <input type="hidden" name="merchant" value={merchant} />
      <input type="hidden" name="environment" value={environment} />
      <input type="hidden" name="import" value={file.id} />
      <input type="hidden" name="rows" value={file.rowsHash} />
      {!file.startedAt && phones > 0 && <Checkbox id="ask" label={t('askPhones', { count: String(phones) })} hint={t('askPhonesHint')} />}
      {!file.startedAt && madeBefore && <Checkbox id="again" label={t('again')} required />}
      <Button className="mt-2 justify-self-start">{file.startedAt ? t('goOn') : t('create', { count: file.rowCount })}</Button>
    </form>
  );
}

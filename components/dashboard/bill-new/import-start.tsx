import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Checkbox } from '@/components/ui/forms/fields';
import type { ImportView } from '@/lib/bills/import/show-import';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { Place } from '../place';

interface ImportStartProps {
  readonly view: ImportView;
  readonly action: (form: FormData) => Promise<void>;
  readonly place: Place;
  readonly locale: Locale;
}

/** Starts the import, or continues it if it was interrupted. */
export function ImportStart({ view, action, place, locale }: ImportStartProps) {
  const t = translator(locale, 'Import');
  const { file, phones, madeBefore } = view;
  if (file.errorCount > 0 || file.finishedAt) return null;
  return (
    <ActionForm action={action} hidden={{ ...place, import: file.id, rows: file.rowsHash }} className="mt-4 grid gap-2">
      {!file.startedAt && phones > 0 && <Checkbox id="ask" label={t('askPhones', { count: String(phones) })} hint={t('askPhonesHint')} />}
      {!file.startedAt && madeBefore && <Checkbox id="again" label={t('again')} required />}
      <SubmitButton className="mt-2 justify-self-start">{file.startedAt ? t('goOn') : t('create', { count: file.rowCount })}</SubmitButton>
    </ActionForm>
  );
}

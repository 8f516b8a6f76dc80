import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Fold } from '@/components/ui/fold';
import { CheckedForm } from '@/components/ui/forms/checked-form';
import { Field } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { type Locale, translator } from '@/lib/i18n/translator';

const EXAMPLES: Readonly<Record<Locale, string>> = {
  en: 'amount,reference,mobile\n"12,500",School fees Asha,0712345678\n8000,School fees Juma,',
  sw: 'kiasi,kumbukumbu,simu\n"12,500",Ada ya shule Asha,0712345678\n8000,Ada ya shule Juma,',
};

interface ImportFormProps {
  readonly action: string;
  readonly formId: string;
  readonly rowsMax: string;
  readonly locale: Locale;
}

/** Uploads a file to check it. No bills are created yet. */
export function ImportForm({ action, formId, rowsMax, locale }: ImportFormProps) {
  const t = translator(locale, 'Import');
  return (
    <Card>
      <CheckedForm action={action} method="post" encType="multipart/form-data" className="grid max-w-xl gap-4">
        <input type="hidden" name="form" value={formId} />
        <Field
          id="file"
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          label={t('file')}
          hint={t('fileHint', { rows: rowsMax })}
          required
        />
        <Button className="justify-self-start">
          <Icon name="upload" /> {t('check')}
        </Button>
      </CheckedForm>
      <Fold title={t('format')} className="mt-4">
        <p className="mb-2 max-w-prose text-muted">{t('formatText')}</p>
        <pre className="rounded-lg bg-ground p-3 text-sm whitespace-pre-wrap wrap-anywhere">{EXAMPLES[locale]}</pre>
      </Fold>
    </Card>
  );
}

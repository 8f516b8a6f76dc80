import type { Place } from '@/components/dashboard/place';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Select } from '@/components/ui/forms/fields';
import { Card } from '@/components/ui/layout';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { DELAY_PERCENTS } from '@/lib/sandbox/time-schema';

interface DelayCardProps {
  readonly percent: number;
  readonly action: (form: FormData) => Promise<void>;
  readonly place: Place;
  readonly locale: Locale;
}

/** The delays that apply in the sandbox, and the form that changes them. */
export function DelayCard({ percent, action, place, locale }: DelayCardProps) {
  const t = translator(locale, 'SandboxTime');
  return (
    <Card id="delays" title={t('delays')} action={<p className="font-semibold">{t('now', { percent })}</p>}>
      <p className="mb-4 max-w-prose">{t('delaysText')}</p>
      <ActionForm key={percent} action={action} hidden={place} className="flex flex-wrap items-end gap-3">
        <div className="flex-1 basis-64 sm:max-w-80">
          <Select
            id="percent"
            label={t('percent')}
            defaultValue={String(percent)}
            options={[...DELAY_PERCENTS].reverse().map((one) => ({ value: String(one), text: t(`percent_${one}`) }))}
          />
        </div>
        <SubmitButton className="">{t('save')}</SubmitButton>
      </ActionForm>
    </Card>
  );
}

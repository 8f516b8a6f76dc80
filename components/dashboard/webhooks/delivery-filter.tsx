import { Checkbox, Field, Select } from '@/components/ui/forms/fields';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { DELIVERY_CHOICES, type DeliveryQuery } from '@/lib/webhooks/log/delivery-query';
import { LogFilter } from '../log-filter';

interface DeliveryFilterProps {
  readonly query: DeliveryQuery;
  readonly problem: 'period' | null;
  readonly path: string;
  readonly locale: Locale;
}

export function DeliveryFilter({ query, problem, path, locale }: DeliveryFilterProps) {
  const t = translator(locale, 'Hooks');
  const w = translator(locale, 'Webhooks');
  const s = translator(locale, 'Status');
  const choices = {
    state: DELIVERY_CHOICES.state.map((value) => ({ value, text: w(`state_${value}`) })),
    status: DELIVERY_CHOICES.status.map((value) => ({ value, text: s(value) })),
    trigger: DELIVERY_CHOICES.trigger.map((value) => ({ value, text: t(`trigger_${value}`) })),
  };
  const choice = (name: keyof typeof choices) => (
    <Select id={name} label={t(name)} options={[{ value: '', text: t('any') }, ...choices[name]]} defaultValue={query[name]} />
  );
  return (
    <LogFilter path={path} query={query} t={t}>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Field id="bill" label={t('bill')} defaultValue={query.bill} maxLength={255} autoComplete="off" />
        {choice('state')}
        {choice('status')}
        <Field id="from" type="date" label={t('from')} defaultValue={query.from} problem={problem === 'period' ? t('wrongPeriod') : null} />
        <Field id="to" type="date" label={t('to')} defaultValue={query.to} />
        {choice('trigger')}
      </div>
      <Checkbox id="failed" value="1" label={t('failed')} defaultChecked={query.failed === '1'} />
    </LogFilter>
  );
}

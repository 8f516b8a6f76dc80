import { Button, buttonClass } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { Select } from '@/components/ui/select';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { DeliveryQuery } from '@/lib/webhooks/delivery-query';

const STATES = ['PENDING', 'SENDING', 'BLOCKED', 'DELIVERED', 'EXHAUSTED', 'UNSENT'] as const;
const STATUSES = ['NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID'] as const;
const TRIGGERS = ['automatic', 'manual', 'bulk'] as const;

interface DeliveryFilterProps {
  readonly query: DeliveryQuery;
  readonly problem: 'period' | null;
  /** The page itself, which the form asks. */
  readonly path: string;
  readonly locale: Locale;
}

/** What is to be shown: a plain form, whose address can be kept and sent. */
export function DeliveryFilter({ query, problem, path, locale }: DeliveryFilterProps) {
  const t = translator(locale, 'Hooks');
  const w = translator(locale, 'Webhooks');
  const s = translator(locale, 'Status');
  const any = { value: '', text: t('any') };
  const asked = Object.values(query).some((value) => value !== '');
  return (
    <details open={asked} className="rounded-xl border border-line bg-surface px-4">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold text-brand">
        <Icon name="filter" /> {t('filter')}
      </summary>
      <form action={path} className="grid gap-4 pb-4">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <Field id="bill" label={t('bill')} defaultValue={query.bill} maxLength={255} autoComplete="off" />
          <Select
            id="state"
            label={t('state')}
            options={[any, ...STATES.map((value) => ({ value, text: w(`state_${value}`) }))]}
            defaultValue={query.state}
          />
          <Select
            id="status"
            label={t('status')}
            options={[any, ...STATUSES.map((value) => ({ value, text: s(value) }))]}
            defaultValue={query.status}
          />
          <Field
            id="from"
            type="date"
            label={t('from')}
            defaultValue={query.from}
            problem={problem === 'period' ? t('wrongPeriod') : null}
          />
          <Field id="to" type="date" label={t('to')} defaultValue={query.to} />
          <Select
            id="trigger"
            label={t('trigger')}
            options={[any, ...TRIGGERS.map((value) => ({ value, text: t(`trigger_${value}`) }))]}
            defaultValue={query.trigger}
          />
        </div>
        <Checkbox id="failed" value="1" label={t('failed')} defaultChecked={query.failed === '1'} />
        <div className="flex flex-wrap gap-3">
          <Button>{t('apply')}</Button>
          {asked && (
            <a href={path} className={buttonClass('plain')}>
              {t('clear')}
            </a>
          )}
        </div>
      </form>
    </details>
  );
}

'use client';

import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { DateField } from '@/components/ui/forms/date-field';
import { Checkbox, Field } from '@/components/ui/forms/fields';
import { ButtonLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction, PlainAction } from '@/lib/entry/server/form-action';
import type { countsText } from './run-progress';

const STATES = ['EXHAUSTED', 'UNSENT', 'DELIVERED'] as const;

/** How many deliveries the bulk redelivery would send. */
type Counted = ReturnType<typeof countsText>;

/** `state` has the states of the deliveries, separated by spaces. */
type OrderField = 'from' | 'to' | 'state' | 'perSecond';

interface RedeliveryFormProps {
  /** The page on which the endpoint's URL is set. Null if it is set. Without a URL, the form is disabled. */
  readonly endpointPage: string | null;
  readonly count: FormAction<OrderField, Counted>;
  readonly start: PlainAction;
  readonly first: Readonly<Record<OrderField, string>>;
  /** The count for the values in `first`; null if they were not counted. */
  readonly firstCounted: Counted | null;
}

/** The form for a bulk redelivery. It first counts and shows the deliveries. The redelivery starts after the member has confirmed. */
export function RedeliveryForm({ count, start, endpointPage, first, firstCounted }: RedeliveryFormProps) {
  const t = useTranslations('Hooks');
  const { sender, typed, problems, done, pending, field } = useFormAction(count, first);
  const counted = endpointPage === null ? (done ?? (problems ? null : firstCounted)) : null;
  const states = typed.state?.split(' ') ?? [];
  const answer = JSON.stringify([typed, problems, counted]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-4 lg:grid-cols-2">
      {endpointPage !== null && (
        <Notice tone="wait" title={t('no_address')}>
          {firstCounted && <p>{t('countedTitle', { count: firstCounted.total })}</p>}
          <p>{t('againNoAddress')}</p>
          <ButtonLink href={endpointPage} look="primary" className="mt-3">
            {t('setAddress')}
          </ButtonLink>
        </Notice>
      )}
      <ActionForm key={answer} action={sender}>
        <fieldset disabled={endpointPage !== null} className="grid max-w-2xl gap-4">
          <p>{t('againText')}</p>
          <div className="grid gap-4 sm:grid-cols-2">
            <DateField {...field('from')} label={t('againFrom')} required />
            <DateField {...field('to')} label={t('againTo')} required />
          </div>
          <Field {...field('perSecond')} inputMode="numeric" label={t('perSecond')} maxLength={6} />
          <fieldset>
            <legend className="font-semibold">{t('againStates')}</legend>
            {STATES.map((name) => (
              <Checkbox
                key={name}
                id={`state-${name}`}
                name="state"
                value={name}
                label={t(`st_${name}`)}
                defaultChecked={states.includes(name)}
              />
            ))}
          </fieldset>
          <SubmitButton look={counted ? 'plain' : 'primary'} sending={t('counting')}>
            {t(counted ? 'recount' : 'count')}
          </SubmitButton>
        </fieldset>
      </ActionForm>
      {counted && !pending && (
        <Focused key={answer} label={t('countedTitle', { count: counted.total })}>
          <Notice tone="wait" title={t('countedTitle', { count: counted.total })}>
            {counted.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
            {counted.hold && <p>{counted.hold}</p>}
          </Notice>
          {counted.total > 0 && (
            <ActionForm action={start} hidden={{ ...typed, state: states }}>
              <SubmitButton>{t('confirm', { count: counted.total })}</SubmitButton>
            </ActionForm>
          )}
        </Focused>
      )}
    </div>
  );
}

'use client';

import { useTranslations } from 'use-intl/react';
import type { Place } from '@/components/dashboard/place';
import { Focused } from '@/components/ui/focused';
import { ActionForm, type FormAction, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Checkbox, Field } from '@/components/ui/forms/fields';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';

const STATES = ['EXHAUSTED', 'UNSENT', 'DELIVERED'] as const;

export interface RedeliveryFormState {
  readonly from: string;
  readonly to: string;
  readonly states: readonly string[];
  readonly perSecond: string;
  readonly problem: string | null;
  /** How many deliveries the bulk redelivery would send; null before they are counted. */
  readonly counted: {
    readonly total: number;
    readonly lines: readonly string[];
    readonly hold: string | null;
    readonly hasAddress: boolean;
  } | null;
}

interface RedeliveryFormProps {
  readonly place: Place;
  /** The address of the page on which the endpoint's URL is set. */
  readonly endpointPage: string;
  readonly count: FormAction<RedeliveryFormState>;
  readonly start: (form: FormData) => Promise<void>;
  readonly first: RedeliveryFormState;
}

/** The form for a bulk redelivery. It first counts and shows the deliveries. The redelivery starts after the member has confirmed. */
export function RedeliveryForm({ count, start, place, endpointPage, first }: RedeliveryFormProps) {
  const t = useTranslations('Hooks');
  const [state, submit, pending] = useFormAction(count, first);
  const { counted } = state;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ActionForm key={JSON.stringify(state)} action={submit} hidden={place} problem={state.problem} className="grid max-w-2xl gap-4">
        <p>{t('againText')}</p>
        <div className="grid gap-4 sm:grid-cols-3 sm:items-end">
          <Field id="from" type="date" label={t('againFrom')} defaultValue={state.from} required />
          <Field id="to" type="date" label={t('againTo')} defaultValue={state.to} required />
          <Field id="perSecond" inputMode="numeric" label={t('perSecond')} defaultValue={state.perSecond} maxLength={6} />
        </div>
        <fieldset>
          <legend className="font-semibold">{t('againStates')}</legend>
          {STATES.map((name) => (
            <Checkbox
              key={name}
              id={`state-${name}`}
              name="state"
              value={name}
              label={t(`st_${name}`)}
              defaultChecked={state.states.includes(name)}
            />
          ))}
        </fieldset>
        <SubmitButton look={counted ? 'plain' : 'primary'} sending={t('counting')}>
          {t(counted ? 'recount' : 'count')}
        </SubmitButton>
      </ActionForm>
      {counted && !pending && (
        <Focused key={JSON.stringify(state)} label={t('countedTitle', { count: counted.total })}>
          <Notice tone="wait" title={t('countedTitle', { count: counted.total })}>
            {counted.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
            {counted.hold && <p>{counted.hold}</p>}
          </Notice>
          {counted.total > 0 && !counted.hasAddress && (
            <p>
              {t('no_address')} <TextLink href={endpointPage}>{t('tab_endpoint')}</TextLink>
            </p>
          )}
          {counted.total > 0 && counted.hasAddress && (
            <ActionForm
              action={start}
              hidden={{ ...place, from: state.from, to: state.to, perSecond: state.perSecond, state: state.states }}
            >
              <SubmitButton>{t('confirm', { count: counted.total })}</SubmitButton>
            </ActionForm>
          )}
        </Focused>
      )}
    </div>
  );
}

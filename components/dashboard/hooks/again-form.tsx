'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { PlaceFields, type PlaceProps } from '@/components/dashboard/keys/place-fields';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';

const STATES = ['EXHAUSTED', 'UNSENT', 'DELIVERED'] as const;

export interface AgainState {
  readonly from: string;
  readonly to: string;
  readonly states: readonly string[];
  readonly perSecond: string;
  readonly problem: string | null;
  /** What the order would send: nothing is sent before it is confirmed. */
  readonly counted: { readonly total: number; readonly lines: readonly string[]; readonly heldUp: string | null } | null;
}

interface AgainFormProps extends PlaceProps {
  readonly count: (before: AgainState, form: FormData) => Promise<AgainState>;
  readonly start: (form: FormData) => Promise<void>;
  readonly first: AgainState;
}

/** Chooses what to send again; counts it first, and starts when that is confirmed. */
export function AgainForm({ count, start, merchant, environment, first }: AgainFormProps) {
  const t = useTranslations('Hooks');
  const [state, submit, pending] = useActionState(count, first);
  const { counted } = state;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <form action={submit} key={JSON.stringify(state)} className="grid max-w-2xl gap-4">
        <PlaceFields merchant={merchant} environment={environment} />
        <p>{t('againText')}</p>
        {state.problem && (
          <p role="alert" className="font-semibold text-danger">
            {state.problem}
          </p>
        )}
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
        <Button look={counted ? 'plain' : 'primary'} disabled={pending} className="justify-self-start">
          {pending ? t('counting') : t(counted ? 'recount' : 'count')}
        </Button>
      </form>
      {counted && !pending && (
        <Focused key={JSON.stringify(state)} label={t('countedTitle', { count: counted.total })}>
          <Notice tone="wait" title={t('countedTitle', { count: counted.total })}>
            {counted.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
            {counted.heldUp && <p>{counted.heldUp}</p>}
          </Notice>
          {counted.total > 0 && (
            <form action={start}>
              <PlaceFields merchant={merchant} environment={environment} />
              <input type="hidden" name="from" value={state.from} />
              <input type="hidden" name="to" value={state.to} />
              <input type="hidden" name="perSecond" value={state.perSecond} />
              {state.states.map((name) => (
                <input key={name} type="hidden" name="state" value={name} />
              ))}
              <Button>{t('confirm', { count: counted.total })}</Button>
            </form>
          )}
        </Focused>
      )}
    </div>
  );
}

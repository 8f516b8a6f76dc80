'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { PlaceFields, type PlaceProps } from '@/components/dashboard/keys/place-fields';
import { Button } from '@/components/ui/button';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';
import { Select } from '@/components/ui/select';
import { SecretValue } from './secret-value';

const OVERLAPS = ['day', 'hour', 'week', 'none'] as const;

export interface RotateState {
  readonly overlap: string;
  readonly problem: string | null;
  readonly made: { readonly secret: string; readonly note: string } | null;
}

interface RotateFormProps extends PlaceProps {
  readonly action: (before: RotateState, form: FormData) => Promise<RotateState>;
}

/** Makes a new signing secret, with a time in which both sign. */
export function RotateForm({ action, merchant, environment }: RotateFormProps) {
  const t = useTranslations('Hooks');
  const [state, submit, pending] = useActionState(action, { overlap: 'day', problem: null, made: null });
  if (state.made) {
    return (
      <Focused label={t('rotatedTitle')}>
        <Notice tone="good" title={t('rotatedTitle')}>
          <p>{state.made.note}</p>
        </Notice>
        <SecretValue label={t('secretIs')} value={state.made.secret} />
      </Focused>
    );
  }
  return (
    <form action={submit} className="grid max-w-xl gap-4">
      <PlaceFields merchant={merchant} environment={environment} />
      <p>{t('rotateText')}</p>
      <Select
        key={state.overlap}
        id="overlap"
        label={t('overlap')}
        options={OVERLAPS.map((value) => ({ value, text: t(`o_${value}`) }))}
        defaultValue={state.overlap}
        problem={state.problem}
      />
      <Button disabled={pending} className="justify-self-start">
        {pending ? t('rotating') : t('rotate')}
      </Button>
    </form>
  );
}

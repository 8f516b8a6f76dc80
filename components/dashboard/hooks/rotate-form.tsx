'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm } from '@/components/ui/action-form';
import { CopiedValue } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';
import { Select } from '@/components/ui/select';
import { SubmitButton } from '@/components/ui/submit-button';
import { type FormAction, useFormAction } from '@/components/ui/use-form-action';
import type { Place } from '../place';

const OVERLAPS = ['day', 'hour', 'week', 'none'] as const;

export interface RotateState {
  readonly overlap: string;
  readonly problem: string | null;
  readonly made: { readonly secret: string; readonly note: string } | null;
}

interface RotateFormProps {
  readonly place: Place;
  readonly action: FormAction<RotateState>;
}

/** Makes a new signing secret, with a time in which both sign. */
export function RotateForm({ action, place }: RotateFormProps) {
  const t = useTranslations('Hooks');
  const [state, submit] = useFormAction(action, { overlap: 'day', problem: null, made: null });
  if (state.made) {
    return (
      <Focused label={t('rotatedTitle')}>
        <Notice tone="good" title={t('rotatedTitle')}>
          <p>{state.made.note}</p>
        </Notice>
        <CopiedValue label={t('secretIs')} value={state.made.secret} />
      </Focused>
    );
  }
  return (
    <ActionForm action={submit} hidden={place}>
      <p>{t('rotateText')}</p>
      <Select
        key={state.overlap}
        id="overlap"
        label={t('overlap')}
        options={OVERLAPS.map((value) => ({ value, text: t(`o_${value}`) }))}
        defaultValue={state.overlap}
        problem={state.problem}
      />
      <SubmitButton sending={t('rotating')}>{t('rotate')}</SubmitButton>
    </ActionForm>
  );
}

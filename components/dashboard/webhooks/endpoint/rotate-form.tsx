'use client';

import { useTranslations } from 'use-intl/react';
import type { PlacedForm } from '@/components/dashboard/place';
import { CopiedValue } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Select } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';

const OVERLAPS = ['day', 'hour', 'week', 'none'] as const;

export interface RotateState {
  readonly overlap: string;
  readonly problem: string | null;
  readonly created: { readonly secret: string; readonly note: string } | null;
}

/** Creates a new signing secret. For a chosen time, both secrets sign. */
export function RotateForm({ action, place }: PlacedForm<RotateState>) {
  const t = useTranslations('Hooks');
  const [state, submit] = useFormAction(action, { overlap: 'day', problem: null, created: null });
  if (state.created) {
    return (
      <Focused label={t('rotatedTitle')}>
        <Notice tone="good" title={t('rotatedTitle')} text={state.created.note} />
        <CopiedValue label={t('secretIs')} value={state.created.secret} />
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

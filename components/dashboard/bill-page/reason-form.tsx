'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { REASON_MAX } from '@/lib/core/text';
import type { BillPlace, PlacedForm } from '../place';

export interface TypedState {
  readonly typed: string;
  readonly problem: string | null;
}

interface ReasonFormProps extends PlacedForm<TypedState, BillPlace> {
  readonly button: string;
  readonly look: 'plain' | 'danger';
}

export function ReasonForm({ action, place, button, look }: ReasonFormProps) {
  const t = useTranslations('CloseBill');
  const [{ typed, problem }, submit] = useFormAction(action, { typed: '', problem: null });
  return (
    <ActionForm action={submit} hidden={place} className="mt-3 grid max-w-xl gap-3">
      <Field
        id="close-reason"
        name="reason"
        label={t('reason')}
        hint={t('reasonHint')}
        problem={problem}
        defaultValue={typed}
        maxLength={REASON_MAX}
        required
        autoComplete="off"
      />
      <SubmitButton look={look}>{button}</SubmitButton>
    </ActionForm>
  );
}

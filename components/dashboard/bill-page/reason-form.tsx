'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import type { BillPlace, PlacedForm } from '../place';

/** The form value and its error. */
export interface TypedState {
  readonly typed: string;
  readonly problem: string | null;
}

interface ReasonFormProps extends PlacedForm<TypedState, BillPlace> {
  readonly reasonMax: number;
  readonly button: string;
  readonly look: 'plain' | 'danger';
}

/** A form that requires a reason. */
export function ReasonForm({ action, place, reasonMax, button, look }: ReasonFormProps) {
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
        maxLength={reasonMax}
        required
        autoComplete="off"
      />
      <SubmitButton look={look}>{button}</SubmitButton>
    </ActionForm>
  );
}

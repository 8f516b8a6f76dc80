'use client';

import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import type { BillPlace, PlacedForm } from '../place';
import { ReasonField } from '../reason-field';

export interface TypedState {
  readonly typed: string;
  readonly problem: string | null;
}

interface ReasonFormProps extends PlacedForm<TypedState, BillPlace> {
  readonly button: string;
  readonly look: 'plain' | 'danger';
}

export function ReasonForm({ action, place, button, look }: ReasonFormProps) {
  const [{ typed, problem }, submit] = useFormAction(action, { typed: '', problem: null });
  return (
    <ActionForm action={submit} hidden={place} className="mt-3 grid max-w-xl gap-3">
      <ReasonField id="close-reason" typed={typed} problem={problem} />
      <SubmitButton look={look}>{button}</SubmitButton>
    </ActionForm>
  );
}

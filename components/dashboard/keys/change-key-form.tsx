'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import type { PlacedForm } from '../place';
import { KeyFields, type KeyForm } from './key-fields';

export interface ChangeKeyState extends KeyForm {
  /** The result of saving, as a text. */
  readonly done: string | null;
}

interface ChangeKeyFormProps extends PlacedForm<ChangeKeyState> {
  readonly keyId: string;
  readonly labelMax: number;
  readonly present: string;
  readonly first: KeyForm['typed'];
}

export function ChangeKeyForm({ action, place, keyId, labelMax, present, first }: ChangeKeyFormProps) {
  const t = useTranslations('KeyPage');
  const [state, submit] = useFormAction(action, { kind: 'form', typed: first, problem: null, done: null });
  return (
    <ActionForm action={submit} hidden={{ ...place, key: keyId }} className="grid max-w-2xl gap-4">
      <KeyFields {...state} labelMax={labelMax} present={present} />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton sending={t('saving')}>{t('save')}</SubmitButton>
        <p role="status" className="font-semibold text-brand">
          {state.done}
        </p>
      </div>
    </ActionForm>
  );
}

'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { EMPTY_KEY_FORM } from '@/lib/keys/empty-form';
import type { PlacedForm } from '../place';
import { type CreatedKey, ShownSecret } from './created-key';
import { KeyFields, type KeyForm } from './key-fields';

export type CreateKeyState = KeyForm | CreatedKey;

interface CreateKeyFormProps extends PlacedForm<CreateKeyState> {
  readonly labelMax: number;
  /** The address of the page with this form. After a key is created, a link leads to it, so that the form is shown again. */
  readonly again: string;
}

export function CreateKeyForm({ action, place, labelMax, again }: CreateKeyFormProps) {
  const t = useTranslations('Keys');
  const [state, submit] = useFormAction(action, { kind: 'form', typed: EMPTY_KEY_FORM, problem: null });
  if (state.kind === 'created') {
    return <ShownSecret created={state} title={t('createdTitle')} next={{ href: again, text: t('again') }} />;
  }
  return (
    <ActionForm action={submit} hidden={place} className="grid max-w-2xl gap-4">
      <KeyFields {...state} labelMax={labelMax} />
      <SubmitButton sending={t('creating')}>{t('create')}</SubmitButton>
    </ActionForm>
  );
}

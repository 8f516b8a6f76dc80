'use client';

import { useTranslations } from 'use-intl/react';
import type { PlacedForm } from '@/components/dashboard/place';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';

export interface AddressState {
  readonly url: string;
  readonly problem: string | null;
  /** The receiver's answer to the test; null if the address was not saved. */
  readonly saved: string | null;
}

/** Sets the sandbox address. It is saved after the receiver has accepted a test webhook. */
export function AddressForm({ place, action, url }: PlacedForm<AddressState> & { readonly url: string | null }) {
  const t = useTranslations('Hooks');
  const [state, submit, pending] = useFormAction(action, { url: url ?? '', problem: null, saved: null });
  return (
    <ActionForm key={state.url} action={submit} hidden={place}>
      <Field
        id="url"
        type="url"
        label={t('addressLabel')}
        hint={t('addressHint')}
        problem={state.problem ?? undefined}
        defaultValue={state.url}
        maxLength={2_000}
        autoComplete="off"
        required
      />
      <SubmitButton sending={t('addressTesting')}>{t('addressSave')}</SubmitButton>
      <div role="status">{state.saved !== null && !pending && <Notice tone="good" text={state.saved} />}</div>
    </ActionForm>
  );
}

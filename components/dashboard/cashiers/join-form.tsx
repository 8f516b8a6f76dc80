'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm, type FormAction, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { PinField } from './pin-field';

export interface JoinState {
  readonly field: 'pin' | 'repeated' | null;
  readonly problem: string | null;
}

/** The form in which an invited cashier chooses a PIN, on the phone on which the cashier opened the link. */
export function JoinForm({ action, token }: { readonly action: FormAction<JoinState>; readonly token: string }) {
  const t = useTranslations('CashierJoin');
  const [state, submit] = useFormAction(action, { field: null, problem: null }, { guest: true });
  return (
    <ActionForm action={submit} hidden={{ token }} className="grid gap-4">
      <PinField id="pin" fresh label={t('pin')} hint={t('pinHint')} problem={state.field === 'pin' ? state.problem : null} />
      <PinField id="repeated" fresh label={t('repeat')} problem={state.field === 'repeated' ? state.problem : null} />
      <SubmitButton className="w-full">{t('start')}</SubmitButton>
    </ActionForm>
  );
}

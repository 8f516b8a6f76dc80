'use client';

import { useTranslations } from 'use-intl/react';
import { PasswordField } from '@/components/dashboard/auth/password-field';
import { ActionForm, type FormAction, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';

export interface AcceptState {
  readonly name: string;
  readonly field: 'name' | 'password' | null;
  readonly problem: string | null;
}

interface AcceptFormProps {
  readonly action: FormAction<AcceptState>;
  readonly token: string;
  readonly merchant: string;
  readonly email: string;
  /** The minimum length of the password; null if the person is already signed in. */
  readonly least: number | null;
}

export function AcceptForm({ action, token, merchant, email, least }: AcceptFormProps) {
  const t = useTranslations('Invitation');
  const word = useTranslations('PasswordField');
  const [state, submit] = useFormAction(action, { name: '', field: null, problem: null }, { guest: true });
  const problemOf = (field: AcceptState['field']) => (state.field === field ? state.problem : null);
  return (
    <ActionForm action={submit} hidden={{ token }} className="grid gap-4">
      {least !== null && (
        <>
          <p>{t('newText')}</p>
          {/* Tells password managers whose password this is. */}
          <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
          <Field
            id="name"
            label={t('name')}
            problem={problemOf('name')}
            defaultValue={state.name}
            required
            maxLength={100}
            autoComplete="name"
          />
          <PasswordField
            id="password"
            words={{ show: word('show'), hide: word('hide'), what: word('what') }}
            label={t('password')}
            hint={t('passwordHint', { least: String(least) })}
            problem={problemOf('password')}
            required
            maxLength={1000}
            autoComplete="new-password"
          />
        </>
      )}
      <SubmitButton className="w-full">{t('accept', { merchant })}</SubmitButton>
    </ActionForm>
  );
}

'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm, type FormAction, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import type { SignUpProblems } from '@/lib/accounts/email-links/sign-up';
import { PasswordField } from './password-field';

export interface SignUpState {
  readonly typed: { readonly business: string; readonly name: string };
  readonly problems: SignUpProblems;
}

interface SignUpFormProps {
  readonly action: FormAction<SignUpState>;
  readonly token: string;
  readonly email: string;
}

export function SignUpForm({ action, token, email }: SignUpFormProps) {
  const t = useTranslations('SignInMore');
  const whyNot = useTranslations('PasswordProblem');
  const word = useTranslations('PasswordField');
  const [{ typed, problems }, submit] = useFormAction(action, { typed: { business: '', name: '' }, problems: {} }, { guest: true });
  const named = (field: keyof typeof typed) => {
    const problem = problems[field];
    return { id: field, problem: problem && t(problem), defaultValue: typed[field], maxLength: 100, required: true };
  };
  return (
    <ActionForm action={submit} hidden={{ token }} className="grid gap-4">
      {/* Tells password managers whose password this is. */}
      <input type="email" name="username" autoComplete="username" defaultValue={email} readOnly hidden />
      <Field {...named('business')} label={t('business')} hint={t('businessHint')} autoComplete="organization" />
      <Field {...named('name')} label={t('yourName')} autoComplete="name" />
      <PasswordField
        id="password"
        words={{ show: word('show'), hide: word('hide'), what: word('what') }}
        label={t('password')}
        hint={t('passwordHint')}
        problem={problems.password ? whyNot(problems.password) : null}
        autoComplete="new-password"
        minLength={12}
        maxLength={1000}
        required
      />
      <SubmitButton className="w-full">{t('open')}</SubmitButton>
    </ActionForm>
  );
}

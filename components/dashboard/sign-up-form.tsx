'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import type { SignUpProblems } from '@/lib/accounts/finish-sign-up';
import { PasswordField } from './password-field';

/** What was typed, and what is wrong with it. */
export interface SignUpState {
  readonly typed: { readonly business: string; readonly name: string };
  readonly problems: SignUpProblems;
}

interface SignUpFormProps {
  readonly action: (before: SignUpState, form: FormData) => Promise<SignUpState>;
  readonly token: string;
  readonly email: string;
}

export function SignUpForm({ action, token, email }: SignUpFormProps) {
  const t = useTranslations('SignInMore');
  const whyNot = useTranslations('PasswordProblem');
  const word = useTranslations('PasswordField');
  const [{ typed, problems }, submit, pending] = useActionState(action, { typed: { business: '', name: '' }, problems: {} });
  return (
    <form action={submit} className="grid gap-4">
      <input type="hidden" name="token" value={token} />
      {/* So that a password manager knows whose it is. */}
      <input type="email" name="username" autoComplete="username" defaultValue={email} readOnly hidden />
      <Field
        id="business"
        name="business"
        label={t('business')}
        hint={t('businessHint')}
        problem={problems.business ? t(problems.business) : null}
        defaultValue={typed.business}
        autoComplete="organization"
        maxLength={100}
        required
      />
      <Field
        id="name"
        name="name"
        label={t('yourName')}
        problem={problems.name ? t(problems.name) : null}
        defaultValue={typed.name}
        autoComplete="name"
        maxLength={100}
        required
      />
      <PasswordField
        id="password"
        name="password"
        words={{ show: word('show'), hide: word('hide'), what: word('what') }}
        label={t('password')}
        hint={t('passwordHint')}
        problem={problems.password ? whyNot(problems.password) : null}
        autoComplete="new-password"
        minLength={12}
        maxLength={1000}
        required
      />
      <Button disabled={pending}>{t('open')}</Button>
    </form>
  );
}

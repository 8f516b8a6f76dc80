'use client';

import { useTranslations } from 'use-intl/react';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';

/** The form value, or the address that the mail was sent to. */
export type EmailState =
  | { readonly kind: 'form'; readonly email: string; readonly problem: string | null }
  | { readonly kind: 'sent'; readonly email: string };

/** The form with which a person replaces the e-mail address of the account. */
export function EmailForm({ action }: { readonly action: (before: EmailState, form: FormData) => Promise<EmailState> }) {
  const t = useTranslations('Account');
  const [state, submit] = useFormAction(action, { kind: 'form', email: '', problem: null });
  if (state.kind === 'sent') {
    const text = t('emailSent', { email: state.email });
    return (
      <Focused label={text}>
        <Notice tone="good">
          <p className="wrap-anywhere">{text}</p>
        </Notice>
      </Focused>
    );
  }
  return (
    <ActionForm action={submit} className="grid max-w-md gap-4">
      <Field
        id="email"
        name="email"
        type="email"
        label={t('newEmail')}
        hint={t('newEmailHint')}
        problem={state.problem}
        defaultValue={state.email}
        autoComplete="email"
        required
        maxLength={254}
      />
      <p className="text-sm text-muted">{t('emailEnds')}</p>
      <SubmitButton>{t('emailSend')}</SubmitButton>
    </ActionForm>
  );
}

'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';

/** What was typed, and what came of it. */
export type EmailState =
  | { readonly kind: 'form'; readonly email: string; readonly problem: string | null }
  | { readonly kind: 'sent'; readonly email: string };

interface EmailFormProps {
  readonly action: (before: EmailState, form: FormData) => Promise<EmailState>;
}

/** Asks for another address to sign in with. */
export function EmailForm({ action }: EmailFormProps) {
  const t = useTranslations('Account');
  const [state, submit, pending] = useActionState(action, { kind: 'form', email: '', problem: null });
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
    <form action={submit} className="grid max-w-md gap-4">
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
      <Button disabled={pending} className="justify-self-start">
        {t('emailSend')}
      </Button>
    </form>
  );
}

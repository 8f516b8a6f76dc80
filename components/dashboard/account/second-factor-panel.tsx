'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { ActionForm, type FormAction, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { RecoveryCodes } from './recovery-codes';

/** The error or the new recovery codes. Only this answer contains the codes. */
export type CodesState =
  | { readonly kind: 'form'; readonly problem: string | null }
  | { readonly kind: 'codes'; readonly codes: readonly string[]; readonly switchedOn: boolean };

interface SecondFactorPanelProps {
  readonly action: FormAction<CodesState>;
  /** Whether the second factor is being set up, or is on. */
  readonly kind: 'setting_up' | 'on';
  /** Shown above the form. */
  readonly children: ReactNode;
}

/**
 * Turns the second factor on, or creates new recovery codes. Both use the same form at the same position of the tree, so that the codes
 * stay visible when the page around them changes, even without JavaScript.
 */
export function SecondFactorPanel({ action, kind, children }: SecondFactorPanelProps) {
  const t = useTranslations('Account');
  const [state, submit] = useFormAction(action, { kind: 'form', problem: null });
  if (state.kind === 'codes') return <RecoveryCodes codes={state.codes} switchedOn={state.switchedOn} />;
  return (
    <>
      {children}
      <ActionForm action={submit} problem={kind === 'on' ? state.problem : null} className="mt-3 grid max-w-md gap-4">
        {kind === 'setting_up' && (
          <Field
            id="code"
            label={t('code')}
            hint={t('codeHint')}
            problem={state.problem}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={12}
          />
        )}
        <SubmitButton look={kind === 'on' ? 'plain' : 'primary'}>{t(kind === 'on' ? 'renew' : 'confirm')}</SubmitButton>
      </ActionForm>
    </>
  );
}

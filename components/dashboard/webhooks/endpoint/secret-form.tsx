'use client';

import { useTranslations } from 'use-intl/react';
import type { PlacedForm } from '@/components/dashboard/place';
import { CopiedValue } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Icon } from '@/components/ui/icon';

export interface SecretState {
  readonly secrets: readonly { readonly label: string; readonly value: string }[];
  readonly problem: string | null;
}

/** Shows the signing secret on request. */
export function SecretForm({ action, place }: PlacedForm<SecretState>) {
  const t = useTranslations('Hooks');
  const [state, submit] = useFormAction(action, { secrets: [], problem: null });
  if (state.secrets.length > 0) {
    return (
      <Focused label={t('secretTitle')}>
        {state.secrets.map((secret) => (
          <CopiedValue key={secret.label} {...secret} />
        ))}
        <p className="text-sm text-muted">{t('hideHint')}</p>
      </Focused>
    );
  }
  return (
    <ActionForm action={submit} hidden={place} problem={state.problem} className="grid gap-3">
      <code aria-hidden="true" className="block rounded-lg bg-ground p-3 text-sm">
        whsec_••••••••••••••••••••••••
      </code>
      <SubmitButton look="plain">
        <Icon name="eye" /> {t('showSecret')}
      </SubmitButton>
    </ActionForm>
  );
}

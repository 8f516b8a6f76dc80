'use client';

import { useTranslations } from 'use-intl/react';
import type { PlacedForm } from '@/components/dashboard/place';
import { CopiedValue } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';

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

const OVERLAPS = ['day', 'hour', 'week', 'none'] as const;

export interface RotateState {
  readonly overlap: string;
  readonly problem: string | null;
  readonly created: { readonly secret: string; readonly note: string } | null;
}

/** Creates a new signing secret. For a chosen time, webhooks are signed with both secrets. */
export function RotateForm({ action, place }: PlacedForm<RotateState>) {
  const t = useTranslations('Hooks');
  const [state, submit] = useFormAction(action, { overlap: 'day', problem: null, created: null });
  if (state.created) {
    return (
      <Focused label={t('rotatedTitle')}>
        <Notice tone="good" title={t('rotatedTitle')} text={state.created.note} />
        <CopiedValue label={t('secretIs')} value={state.created.secret} />
      </Focused>
    );
  }
  return (
    <ActionForm action={submit} hidden={place}>
      <p>{t('rotateText')}</p>
      <Select
        key={state.overlap}
        id="overlap"
        label={t('overlap')}
        options={OVERLAPS.map((value) => ({ value, text: t(`o_${value}`) }))}
        defaultValue={state.overlap}
        problem={state.problem}
      />
      <SubmitButton sending={t('rotating')}>{t('rotate')}</SubmitButton>
    </ActionForm>
  );
}

'use client';

import { useTranslations } from 'use-intl/react';
import { CopiedValue } from '@/components/ui/copied-value';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Notice } from '@/components/ui/notice';
import type { PlacedForm } from '../place';

export type VerifyState =
  | { readonly kind: 'none' }
  | { readonly kind: 'holds'; readonly rows: number; readonly tail: number; readonly head: string | null }
  | { readonly kind: 'broken'; readonly text: string; readonly tail: number };

export function VerifyForm({ action, place }: PlacedForm<VerifyState>) {
  const t = useTranslations('Audit');
  const [state, submit] = useFormAction(action, { kind: 'none' });
  return (
    <div className="grid gap-4">
      <ActionForm action={submit} hidden={place}>
        <SubmitButton look="plain" sending={t('verifying')}>
          {t('verify')}
        </SubmitButton>
      </ActionForm>
      {state.kind === 'holds' && (
        <>
          <Notice tone="good" title={t('holdsTitle')} role="status">
            <p>{t('holdsText', { rows: state.rows })}</p>
            {state.tail > 0 && <p>{t('tail', { count: state.tail })}</p>}
          </Notice>
          {state.head !== null && <CopiedValue label={t('head')} value={state.head} hint={t('headText')} />}
        </>
      )}
      {state.kind === 'broken' && (
        <Notice tone="bad" title={t('brokenTitle')} role="alert">
          <p className="first-letter:uppercase">{state.text}.</p>
        </Notice>
      )}
    </div>
  );
}

'use client';

import { CopiedValue } from '@/components/ui/copied-value';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';

export type Verified =
  | { readonly kind: 'holds'; readonly rows: number; readonly tail: number; readonly head: string | null }
  | { readonly kind: 'broken'; readonly text: string };

export function VerifyForm({ action }: { readonly action: FormAction<never, Verified> }) {
  const t = useTranslations('Audit');
  const { sender, done } = useFormAction(action, {});
  return (
    <div className="grid gap-4">
      <ActionForm action={sender}>
        <SubmitButton look="plain" sending={t('verifying')}>
          {t('verify')}
        </SubmitButton>
      </ActionForm>
      {done?.kind === 'holds' && (
        <>
          <Notice tone="good" title={t('holdsTitle')} role="status">
            <p>{t('holdsText', { rows: done.rows })}</p>
            {done.tail > 0 && <p>{t('tail', { count: done.tail })}</p>}
          </Notice>
          {done.head !== null && <CopiedValue label={t('head')} value={done.head} hint={t('headText')} />}
        </>
      )}
      {done?.kind === 'broken' && (
        <Notice tone="bad" title={t('brokenTitle')} role="alert">
          <p className="first-letter:uppercase">{done.text}.</p>
        </Notice>
      )}
    </div>
  );
}

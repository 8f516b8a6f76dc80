'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm } from '@/components/ui/action-form';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { SubmitButton } from '@/components/ui/submit-button';
import { Textarea } from '@/components/ui/textarea';
import { type FormAction, useFormAction } from '@/components/ui/use-form-action';
import type { BillPlace } from './place';
import type { TypedState } from './reason-form';

export interface NoteFormProps {
  readonly action: FormAction<TypedState>;
  readonly place: BillPlace;
  readonly formId: string;
  readonly noteMax: number;
}

/** A few lines for one's colleagues. */
export function NoteForm({ action, place, formId, noteMax }: NoteFormProps) {
  const t = useTranslations('BillPage');
  const [{ typed, problem }, submit] = useFormAction(action, { typed: '', problem: null });
  return (
    <Fold
      title={
        <>
          <Icon name="plus" /> {t('writeNote')}
        </>
      }
    >
      <ActionForm action={submit} hidden={{ ...place, form: formId }} className="mt-2 mb-4 grid max-w-xl gap-3">
        <Textarea
          id="note"
          name="text"
          label={t('noteLabel')}
          hint={t('noteHint')}
          problem={problem}
          defaultValue={typed}
          maxLength={noteMax}
          required
        />
        <SubmitButton look="plain">{t('noteSave')}</SubmitButton>
      </ActionForm>
    </Fold>
  );
}

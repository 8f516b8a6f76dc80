'use client';

import { useTranslations } from 'use-intl/react';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Textarea } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import type { BillPlace, PlacedForm } from '../place';
import type { TypedState } from './reason-form';

export interface NoteFormProps extends PlacedForm<TypedState, BillPlace> {
  readonly formId: string;
  readonly noteMax: number;
}

/** The form for a note, which only the team sees. */
export function NoteForm({ action, place, formId, noteMax }: NoteFormProps) {
  const t = useTranslations('BillPage');
  const [{ typed, problem }, submit] = useFormAction(action, { typed: '', problem: null });
  return (
    <Fold
      className="mt-2"
      title={
        <>
          <Icon name="plus" /> {t('writeNote')}
        </>
      }
    >
      <ActionForm action={submit} hidden={{ ...place, form: formId }} className="mt-2 grid max-w-xl gap-3">
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

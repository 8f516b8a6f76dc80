'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Textarea } from '@/components/ui/textarea';
import type { BillPlace } from './place';
import { PlaceFields } from './place-fields';
import type { TypedState } from './reason-form';

interface NoteFormProps {
  readonly action: (before: TypedState, form: FormData) => Promise<TypedState>;
  readonly place: BillPlace;
  readonly formId: string;
  readonly noteMax: number;
}

/** A few lines for one's colleagues. */
export function NoteForm({ action, place, formId, noteMax }: NoteFormProps) {
  const t = useTranslations('BillPage');
  const [{ typed, problem }, submit, pending] = useActionState(action, { typed: '', problem: null });
  return (
    <details>
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-1 font-semibold text-brand">
        <Icon name="plus" /> {t('writeNote')}
      </summary>
      <form action={submit} className="mt-2 mb-4 grid max-w-xl gap-3">
        <PlaceFields place={place} formId={formId} />
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
        <Button look="plain" disabled={pending} className="justify-self-start">
          {t('noteSave')}
        </Button>
      </form>
    </details>
  );
}

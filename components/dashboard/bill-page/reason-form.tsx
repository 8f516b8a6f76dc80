'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import type { BillPlace } from './place';
import { PlaceFields } from './place-fields';

/** What was typed, and what is wrong with it. */
export interface TypedState {
  readonly typed: string;
  readonly problem: string | null;
}

interface ReasonFormProps {
  readonly action: (before: TypedState, form: FormData) => Promise<TypedState>;
  readonly place: BillPlace;
  readonly reasonMax: number;
  readonly button: string;
  readonly look: 'plain' | 'danger';
}

/** Asks why, and does it. */
export function ReasonForm({ action, place, reasonMax, button, look }: ReasonFormProps) {
  const t = useTranslations('CloseBill');
  const [{ typed, problem }, submit, pending] = useActionState(action, { typed: '', problem: null });
  return (
    <form action={submit} className="mt-3 grid max-w-xl gap-3">
      <PlaceFields place={place} />
      <Field
        id="close-reason"
        name="reason"
        label={t('reason')}
        hint={t('reasonHint')}
        problem={problem}
        defaultValue={typed}
        maxLength={reasonMax}
        required
        autoComplete="off"
      />
      <Button look={look} disabled={pending} className="justify-self-start">
        {button}
      </Button>
    </form>
  );
}

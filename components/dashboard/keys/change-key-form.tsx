'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { KeyFields } from './key-fields';
import type { KeyForm } from './key-form';
import { PlaceFields, type PlaceProps } from './place-fields';

export interface ChangeKeyState extends KeyForm {
  /** What came of saving, in words. */
  readonly done: string | null;
}

interface ChangeKeyFormProps extends PlaceProps {
  readonly action: (before: ChangeKeyState, form: FormData) => Promise<ChangeKeyState>;
  readonly keyId: string;
  readonly labelMax: number;
  readonly present: string;
  readonly first: KeyForm['typed'];
}

export function ChangeKeyForm({ action, merchant, environment, keyId, labelMax, present, first }: ChangeKeyFormProps) {
  const t = useTranslations('KeyPage');
  const [state, submit, pending] = useActionState(action, { kind: 'form', typed: first, problem: null, done: null });
  return (
    <form action={submit} className="grid max-w-2xl gap-4">
      <PlaceFields merchant={merchant} environment={environment} />
      <input type="hidden" name="key" value={keyId} />
      {state.problem?.field === null && (
        <p role="alert" className="font-semibold text-danger">
          {state.problem.text}
        </p>
      )}
      <KeyFields typed={state.typed} problem={state.problem} labelMax={labelMax} present={present} />
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={pending}>{pending ? t('saving') : t('save')}</Button>
        <p role="status" className="font-semibold text-brand">
          {state.done}
        </p>
      </div>
    </form>
  );
}

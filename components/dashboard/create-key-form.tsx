'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { KeyFields } from './keys/key-fields';
import { type KeyForm, type MadeKey, NOTHING_TYPED } from './keys/key-form';
import { ShownSecret } from './keys/made-key';
import { PlaceFields, type PlaceProps } from './keys/place-fields';

export type CreateKeyState = KeyForm | MadeKey;

interface CreateKeyFormProps extends PlaceProps {
  readonly action: (before: CreateKeyState, form: FormData) => Promise<CreateKeyState>;
  readonly labelMax: number;
  /** The page itself, loaded anew. */
  readonly again: string;
}

export function CreateKeyForm({ action, merchant, environment, labelMax, again }: CreateKeyFormProps) {
  const t = useTranslations('Keys');
  const [state, submit, pending] = useActionState(action, { kind: 'form', typed: NOTHING_TYPED, problem: null });
  if (state.kind === 'made') {
    return <ShownSecret made={state} title={t('createdTitle')} next={{ href: again, text: t('again') }} />;
  }
  return (
    <form action={submit} className="grid max-w-2xl gap-4">
      <PlaceFields merchant={merchant} environment={environment} />
      {state.problem?.field === null && (
        <p role="alert" className="font-semibold text-danger">
          {state.problem.text}
        </p>
      )}
      <KeyFields typed={state.typed} problem={state.problem} labelMax={labelMax} />
      <Button disabled={pending} className="justify-self-start">
        {pending ? t('creating') : t('create')}
      </Button>
    </form>
  );
}

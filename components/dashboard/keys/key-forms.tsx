'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Select } from '@/components/ui/forms/fields';
import type { PlacedForm } from '../place';
import { type CreatedKey, ShownSecret } from './created-key';
import { KeyFields, type KeyForm } from './key-fields';

export interface ChangeKeyState extends KeyForm {
  /** The result of saving, as a text. */
  readonly done: string | null;
}

interface ChangeKeyFormProps extends PlacedForm<ChangeKeyState> {
  readonly keyId: string;
  readonly labelMax: number;
  readonly present: string;
  readonly first: KeyForm['typed'];
}

export function ChangeKeyForm({ action, place, keyId, labelMax, present, first }: ChangeKeyFormProps) {
  const t = useTranslations('KeyPage');
  const [state, submit] = useFormAction(action, { kind: 'form', typed: first, problem: null, done: null });
  return (
    <ActionForm action={submit} hidden={{ ...place, key: keyId }} className="grid max-w-2xl gap-4">
      <KeyFields {...state} labelMax={labelMax} present={present} />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton sending={t('saving')}>{t('save')}</SubmitButton>
        <p role="status" className="font-semibold text-good-ink">
          {state.done}
        </p>
      </div>
    </ActionForm>
  );
}

const OVERLAPS = ['hour', 'day', 'week', 'open'] as const;

export type RollKeyState = { readonly kind: 'form'; readonly overlap: string; readonly problem: string | null } | CreatedKey;

interface RollKeyFormProps extends PlacedForm<RollKeyState> {
  readonly keyId: string;
  /** True if the key has a working successor. Such a key cannot be rolled again. */
  readonly rolled: boolean;
  /** The address of the key's page. After the key was rolled, a link leads to it. */
  readonly again: string;
}

export function RollKeyForm({ action, place, keyId, rolled, again }: RollKeyFormProps) {
  const t = useTranslations('KeyPage');
  const [state, submit] = useFormAction(action, { kind: 'form', overlap: 'day', problem: null });
  if (state.kind === 'created')
    return <ShownSecret created={state} title={t('rolledTitle')} next={{ href: again, text: t('dropTitle') }} />;
  if (rolled) return <p>{t('rolled_before')}</p>;
  return (
    <ActionForm action={submit} hidden={{ ...place, key: keyId }}>
      <p>{t('rollText')}</p>
      <Select
        key={state.overlap}
        id="overlap"
        label={t('overlap')}
        options={OVERLAPS.map((value) => ({ value, text: t(`overlap_${value}`) }))}
        defaultValue={state.overlap}
        problem={state.problem}
      />
      <SubmitButton sending={t('rolling')}>{t('rollNow')}</SubmitButton>
    </ActionForm>
  );
}

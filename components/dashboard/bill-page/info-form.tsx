'use client';

import { useTranslations } from 'use-intl/react';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import type { InfoField, TypedInfo } from '@/lib/bills/info-fields';
import { InfoFields } from '../bill-new/info-fields';
import type { BillPlace, PlacedForm } from '../place';

export interface InfoState {
  readonly typed: TypedInfo;
  readonly problem: string | null;
  readonly problems: Readonly<Partial<Record<InfoField, string>>>;
}

/** The form that changes the optional values of a bill. */
export function InfoForm({ action, place, typed }: PlacedForm<InfoState, BillPlace> & { readonly typed: TypedInfo }) {
  const t = useTranslations('BillInfo');
  const [state, submit] = useFormAction(action, { typed, problem: null, problems: {} });
  return (
    <Fold title={t('edit')} className="mt-2">
      <ActionForm action={submit} hidden={place} problem={state.problem} className="mt-2 grid max-w-xl gap-3">
        <InfoFields typed={state.typed} problems={state.problems} />
        <SubmitButton look="plain">{t('save')}</SubmitButton>
      </ActionForm>
    </Fold>
  );
}

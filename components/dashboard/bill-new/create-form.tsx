'use client';

import { useTranslations } from 'use-intl/react';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import type { BillField, TypedBill } from '@/lib/bills/create/typed-bill';
import { INFO_FIELDS } from '@/lib/bills/info-fields';
import type { PlacedForm } from '../place';
import { AmountField } from './amount-field';
import { InfoFields } from './info-fields';

/** The form values and the result of the submission. */
export interface CreateBillState {
  readonly typed: TypedBill;
  /** The error of the whole form (`problem`), and the errors of its fields (`problems`). */
  readonly problem: string | null;
  readonly problems: Readonly<Partial<Record<BillField, string>>>;
  readonly formId: string;
}

export function BillCreateForm({ action, place, formId: first }: PlacedForm<CreateBillState> & { readonly formId: string }) {
  const t = useTranslations('NewBill');
  const typed = { amount: '', reference: '', mobile: '' };
  const [state, submit] = useFormAction(action, { typed, problem: null, problems: {}, formId: first });
  const asked = (field: 'amount' | 'reference' | 'mobile') => ({
    id: field,
    label: t(field),
    problem: state.problems[field],
    defaultValue: state.typed[field],
    autoComplete: 'off',
  });
  return (
    <ActionForm action={submit} hidden={{ ...place, form: state.formId }} problem={state.problem}>
      <AmountField {...asked('amount')} required />
      <Field {...asked('reference')} hint={t('referenceHint')} maxLength={255} required />
      <Field {...asked('mobile')} hint={t('mobileHint')} type="tel" inputMode="tel" maxLength={40} />
      <Fold title={t('more')} open={INFO_FIELDS.some((field) => state.typed[field] || state.problems[field])}>
        <div className="grid gap-4 pt-2">
          <InfoFields typed={state.typed} problems={state.problems} />
        </div>
      </Fold>
      <SubmitButton sending={t('creating')}>{t('create')}</SubmitButton>
    </ActionForm>
  );
}

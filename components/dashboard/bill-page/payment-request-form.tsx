'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field, type Option, Select } from '@/components/ui/forms/fields';
import type { BillPlace, PlacedForm } from '../place';

type PaymentRequestField = 'mobile' | 'network' | 'amount';

/** The form values and the error. `field` is null if the error concerns no single field. */
export interface PaymentRequestState extends Readonly<Record<PaymentRequestField, string>> {
  readonly problem: { readonly field: PaymentRequestField | null; readonly text: string } | null;
}

interface PaymentRequestFormProps extends PlacedForm<PaymentRequestState, BillPlace> {
  readonly formId: string;
  readonly first: PaymentRequestState;
  readonly networks: readonly Option[];
  /** The possible amounts as a text; null if the amount cannot be chosen. */
  readonly amountHint: string | null;
}

/** The form for a payment request: mobile number, network and amount. */
export function PaymentRequestForm({ action, place, formId, first, networks, amountHint }: PaymentRequestFormProps) {
  const t = useTranslations('AskPhone');
  const [{ problem, ...typed }, submit] = useFormAction(action, first);
  const asked = (field: PaymentRequestField) => ({
    id: `ask-${field}`,
    name: field,
    label: t(field),
    problem: problem?.field === field ? problem.text : null,
    defaultValue: typed[field],
    autoComplete: 'off',
  });
  return (
    <ActionForm
      action={submit}
      hidden={{ ...place, form: formId }}
      problem={problem?.field === null ? problem.text : null}
      className="grid gap-4"
    >
      {/* A wide screen shows the form in a narrow column. */}
      <div className="grid gap-4 sm:max-xl:grid-cols-2">
        <Field {...asked('mobile')} type="tel" inputMode="tel" maxLength={40} required />
        {/* A form reset also resets a select. The key re-creates it with the chosen value. */}
        <Select key={typed.network} {...asked('network')} options={[{ value: '', text: t('byNumber') }, ...networks]} />
        {amountHint !== null && <Field {...asked('amount')} hint={amountHint} inputMode="numeric" maxLength={30} required />}
      </div>
      <SubmitButton sending={t('sending')}>{t('send')}</SubmitButton>
    </ActionForm>
  );
}

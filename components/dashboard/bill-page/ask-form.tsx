'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/field';
import { type Option, Select } from '@/components/ui/forms/select';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { type FormAction, useFormAction } from '@/components/ui/forms/use-form-action';
import type { BillPlace } from './place';

type AskField = 'mobile' | 'network' | 'amount';

/** The form as it was sent, and what was wrong with it; `field` is null where it is none of them. */
export interface AskState extends Readonly<Record<AskField, string>> {
  readonly problem: { readonly field: AskField | null; readonly text: string } | null;
}

interface AskFormProps {
  readonly action: FormAction<AskState>;
  readonly place: BillPlace;
  readonly formId: string;
  readonly first: AskState;
  readonly networks: readonly Option[];
  /** How much may be asked for, in words; null where it is always all. */
  readonly amountHint: string | null;
}

/** A number, its network and how much to ask for. */
export function AskForm({ action, place, formId, first, networks, amountHint }: AskFormProps) {
  const t = useTranslations('AskPhone');
  const [{ problem, ...typed }, submit] = useFormAction(action, first);
  const asked = (field: AskField) => ({
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
      <div className="grid gap-4 sm:grid-cols-2">
        <Field {...asked('mobile')} type="tel" inputMode="tel" maxLength={40} required />
        {/* A select forgets what was chosen when its form is reset, unless it is a new one. */}
        <Select key={typed.network} {...asked('network')} options={[{ value: '', text: t('byNumber') }, ...networks]} />
        {amountHint !== null && <Field {...asked('amount')} hint={amountHint} inputMode="numeric" maxLength={30} required />}
      </div>
      <SubmitButton sending={t('sending')}>{t('send')}</SubmitButton>
    </ActionForm>
  );
}

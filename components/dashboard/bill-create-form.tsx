'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import type { BillField, TypedBill } from '@/lib/bills/typed-bill';

/** The form as it was sent, and what was wrong with it. */
export interface CreateBillState {
  readonly typed: TypedBill;
  /** Of the form as a whole, and of its fields. */
  readonly problem: string | null;
  readonly problems: Readonly<Partial<Record<BillField, string>>>;
  readonly formId: string;
}

interface BillCreateFormProps {
  readonly action: (before: CreateBillState, form: FormData) => Promise<CreateBillState>;
  readonly merchant: string;
  readonly environment: string;
  readonly formId: string;
}

/** What a bill needs, and no more. */
export function BillCreateForm({ action, merchant, environment, formId: first }: BillCreateFormProps) {
  const t = useTranslations('NewBill');
  const typed = { amount: '', reference: '', mobile: '' };
  const [state, submit, pending] = useActionState(action, { typed, problem: null, problems: {}, formId: first });
  return (
    <form action={submit} className="grid max-w-xl gap-4">
      <input type="hidden" name="merchant" value={merchant} />
      <input type="hidden" name="environment" value={environment} />
      <input type="hidden" name="form" value={state.formId} />
      {state.problem !== null && <Notice tone="bad" role="alert" title={state.problem} />}
      <Field
        id="amount"
        inputMode="decimal"
        label={t('amount')}
        problem={state.problems.amount}
        defaultValue={state.typed.amount}
        maxLength={40}
        required
        autoComplete="off"
      />
      <Field
        id="reference"
        label={t('reference')}
        hint={t('referenceHint')}
        problem={state.problems.reference}
        defaultValue={state.typed.reference}
        maxLength={255}
        required
        autoComplete="off"
      />
      <Field
        id="mobile"
        type="tel"
        inputMode="tel"
        label={t('mobile')}
        hint={t('mobileHint')}
        problem={state.problems.mobile}
        defaultValue={state.typed.mobile}
        maxLength={40}
        autoComplete="off"
      />
      <Button disabled={pending} className="justify-self-start">
        {pending ? t('creating') : t('create')}
      </Button>
    </form>
  );
}

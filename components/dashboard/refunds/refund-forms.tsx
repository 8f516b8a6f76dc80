'use client';

import { useState } from 'react';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { DateField } from '@/components/ui/forms/date-field';
import { Field, HiddenFields, Select } from '@/components/ui/forms/fields';
import { ButtonLink } from '@/components/ui/links';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';
import { HAND_SOURCES } from '@/lib/gateway/ledger/rules';
import { REASON_MAX } from '@/lib/platform/core/text';
import type { PlanTexts } from './refund-texts';

type AskField = 'payment' | 'amount' | 'way' | 'reason';

interface RefundFormProps {
  readonly action: FormAction<AskField, PlanTexts>;
  /** The bill whose money goes back; empty for money that no bill has. */
  readonly bill: string;
  readonly formId: string;
  /** The payments that may go back, with the amount that is proposed for each. */
  readonly payments: readonly { readonly value: string; readonly text: string; readonly amount: string; readonly most: string }[];
  /** The address of the page without the form. */
  readonly close: string;
}

/** Asks which money goes back and why, then says how it will go back, and sends the request only after that. */
export function RefundForm({ action, bill, formId, payments, close }: RefundFormProps) {
  const t = useTranslations('RefundForm');
  const [first] = payments;
  const {
    sender,
    typed,
    done: plan,
    field,
  } = useFormAction(action, {
    payment: first?.value ?? '',
    amount: first?.amount ?? '',
    way: 'auto',
    reason: '',
  });
  const [chosen, choose] = useState(typed.payment);
  const payment = payments.find(({ value }) => value === chosen) ?? first;
  if (plan) {
    return (
      <ActionForm action={sender} hidden={{ bill, form: formId }} className="grid max-w-xl gap-3">
        <HiddenFields
          values={{ payment: typed.payment ?? '', amount: typed.amount ?? '', way: typed.way ?? '', reason: typed.reason ?? '' }}
        />
        <div role="status" className="grid gap-2 rounded-lg border border-amber bg-amber-soft p-3 text-amber-ink">
          <p className="font-semibold">{plan.title}</p>
          {plan.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <div className="flex flex-wrap gap-3">
          <SubmitButton name="step" value="send">
            {plan.button}
          </SubmitButton>
          <SubmitButton look="plain" name="step" value="back">
            {t('back')}
          </SubmitButton>
        </div>
      </ActionForm>
    );
  }
  return (
    <ActionForm action={sender} hidden={{ bill, form: formId }}>
      {payments.length > 1 ? (
        <Select
          {...field('payment')}
          id="refund-payment"
          label={t('payment')}
          options={payments}
          onChange={(event) => choose(event.target.value)}
        />
      ) : (
        <HiddenFields values={{ payment: first?.value ?? '' }} />
      )}
      <Field
        key={chosen}
        {...field('amount')}
        id="refund-amount"
        {...(chosen !== typed.payment && { defaultValue: payment?.amount })}
        label={t('amount')}
        unit="TZS"
        hint={t('amountHint', { most: payment?.most ?? '' })}
        inputMode="decimal"
        autoComplete="off"
        maxLength={30}
        required
      />
      <Select
        key={typed.way}
        {...field('way')}
        id="refund-way"
        label={t('way')}
        options={(['auto', 'hand'] as const).map((way) => ({ value: way, text: t(`way_${way}`) }))}
      />
      <Field
        {...field('reason')}
        id="refund-reason"
        label={t('reason')}
        hint={t('reasonHint')}
        maxLength={REASON_MAX}
        autoComplete="off"
        required
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton name="step" value="check">
          {t('check')}
        </SubmitButton>
        <ButtonLink href={close} scroll={false}>
          {t('close')}
        </ButtonLink>
      </div>
    </ActionForm>
  );
}

interface ReturnFormProps {
  readonly action: FormAction<'how' | 'day'>;
  readonly bill: string;
  readonly refund: string;
  /** The present day: `2026-11-20`. */
  readonly today: string;
  /** The title that opens the form, and what the refund is, for screen readers. */
  readonly title: string;
  readonly about: string;
}

/** Records that the customer has got the money of a refund by hand. */
export function ReturnForm({ action, bill, refund, today, title, about }: ReturnFormProps) {
  const t = useTranslations('RefundForm');
  const { sender, typed, field } = useFormAction(action, { how: 'cash', day: today });
  return (
    <Fold title={title} about={about} className="w-full">
      <ActionForm action={sender} hidden={{ bill, refund }} className="mt-2 grid max-w-xl gap-3 rounded-lg bg-sunken p-3">
        <Select
          key={typed.how}
          {...field('how')}
          id={`how-${refund}`}
          label={t('how')}
          options={HAND_SOURCES.map((source) => ({ value: source, text: t(`how_${source}`) }))}
        />
        <DateField {...field('day')} id={`day-${refund}`} label={t('day')} choices="past" required />
        <SubmitButton>{t('returnNow')}</SubmitButton>
      </ActionForm>
    </Fold>
  );
}

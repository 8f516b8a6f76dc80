'use client';

import { type ComponentProps, type FormEvent, useState } from 'react';
import { InfoFields } from '@/components/dashboard/bill-page/forms';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';
import type { InfoFormField } from '@/lib/gateway/bills/bill-info';
import type { RecentCustomer } from '@/lib/gateway/bills/create/show-new-bill';
import type { BillField } from '@/lib/gateway/bills/create/typed-bill';
import { formatMobile } from '@/lib/platform/core/mobile';
import { BillPreview, type PreviewFrame } from './bill-preview';
import { caretAfterGrouping, groupAmount, usesPoints } from './group-amount';

interface BillCreateFormProps {
  readonly action: FormAction<BillField | 'form'>;
  readonly formId: string;
  readonly infoForm: readonly InfoFormField[];
  readonly customers: readonly RecentCustomer[];
  readonly preview: PreviewFrame;
}

/** The form for a new bill. A wide screen shows beside it what the customer will see, which follows every key. */
export function BillCreateForm({ action, formId, infoForm, customers, preview }: BillCreateFormProps) {
  const t = useTranslations('NewBill');
  const { sender, typed, problems, field } = useFormAction(action, {});
  const [shown, setShown] = useState<Readonly<Partial<Record<BillField, string>>>>(typed);
  const fieldOf = (name: 'amount' | 'reference' | 'mobile') => ({ ...field(name), label: t(name), autoComplete: 'off' });
  const follow = ({ target }: FormEvent<HTMLDivElement>) => {
    if (target instanceof HTMLInputElement) setShown((before) => ({ ...before, [target.name]: target.value }));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-2" onInput={follow}>
      <ActionForm action={sender} hidden={{ form: typed.form ?? formId }}>
        <AmountField {...fieldOf('amount')} required />
        <Field {...fieldOf('reference')} hint={t('referenceHint')} maxLength={255} required />
        <div className="grid gap-2">
          <Field {...fieldOf('mobile')} hint={t('mobileHint')} type="tel" inputMode="tel" maxLength={40} />
          <RecentCustomers customers={customers} chosen={shown} />
        </div>
        <Fold title={t('more')} open={infoForm.some(({ name }) => typed[name] || problems?.[name])}>
          <div className="grid gap-4 pt-2">
            <InfoFields fields={infoForm} field={field} />
          </div>
        </Fold>
        <SubmitButton sending={t('creating')} className="max-sm:w-full sm:justify-self-start">
          {t('create')}
        </SubmitButton>
      </ActionForm>
      <div className="hidden self-start lg:sticky lg:top-4 lg:block">
        <BillPreview frame={preview} typed={shown} />
      </div>
    </div>
  );
}

interface RecentCustomersProps {
  readonly customers: readonly RecentCustomer[];
  readonly chosen: Readonly<Partial<Record<BillField, string>>>;
}

/** The customers of the last bills. A tap writes the number and the name of one into the form. It needs JavaScript. */
function RecentCustomers({ customers, chosen }: RecentCustomersProps) {
  const t = useTranslations('NewBill');
  if (customers.length === 0) return null;
  const choose = (form: HTMLFormElement | null, { name, mobile }: RecentCustomer) => {
    for (const [field, value] of [
      ['mobile', mobile && formatMobile(mobile)],
      ['customerName', name],
    ] as const) {
      const input = form?.elements.namedItem(field);
      if (!(input instanceof HTMLInputElement)) continue;
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  };
  return (
    <fieldset className="min-w-0 [@media(scripting:none)]:hidden">
      <legend className="text-small font-semibold text-muted">{t('recent')}</legend>
      <div className="-mx-1 flex gap-2 overflow-x-auto px-1 py-1.5 sm:flex-wrap">
        {customers.map((customer) => {
          const mobile = customer.mobile && formatMobile(customer.mobile);
          const pressed = chosen.mobile === mobile && chosen.customerName === customer.name;
          return (
            <button
              key={customer.mobile || customer.name}
              type="button"
              aria-pressed={pressed}
              onClick={({ currentTarget }) => choose(currentTarget.form, customer)}
              className="flex min-h-control max-w-56 shrink-0 cursor-pointer items-center gap-2 rounded-full border border-edge bg-surface px-3 text-left text-small hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft"
            >
              <Icon name="person" className="size-4 text-muted" />
              <span className="min-w-0">
                <span className="block truncate font-semibold">{customer.name || mobile}</span>
                {customer.name && mobile && <span className="block text-xs text-muted tabular-nums">{mobile}</span>}
              </span>
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}

/** A field for an amount in shillings. It groups the digits while somebody types. It reads 12.500 as 12,500 and shows this reading. */
function AmountField(props: Omit<ComponentProps<typeof Field>, 'hint' | 'inputMode' | 'maxLength' | 'onInput'>) {
  const t = useTranslations('NewBill');
  const [read, setRead] = useState<string | null>(null);
  return (
    <Field
      {...props}
      unit="TZS"
      hint={read === null ? undefined : t('pointRead', { amount: read })}
      inputMode="decimal"
      maxLength={40}
      onInput={({ currentTarget: input }) => {
        const { value, selectionStart } = input;
        const grouped = groupAmount(value);
        if (grouped === value) return;
        setRead(usesPoints(value) ? grouped : null);
        input.value = grouped;
        const caret = caretAfterGrouping(value, selectionStart ?? value.length, grouped);
        input.setSelectionRange(caret, caret);
      }}
    />
  );
}

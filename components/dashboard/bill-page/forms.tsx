'use client';

import { type ComponentProps, useEffect, useState } from 'react';
import { shareAddresses } from '@/components/pay/share-addresses';
import { buttonClass } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copied-value';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { DateField } from '@/components/ui/forms/date-field';
import { Checkbox, Field, type Option, Select, Textarea } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';
import type { InfoField, InfoFormField } from '@/lib/gateway/bills/bill-info';
import { HAND_SOURCES, SLIP_MAX } from '@/lib/gateway/ledger/rules';
import { REASON_MAX } from '@/lib/platform/core/text';
import { LANGUAGES, type Locale } from '@/lib/platform/i18n/locale';

/** The props of a form of a bill's page. */
interface BillFormProps<Field extends string> {
  readonly action: FormAction<Field>;
  readonly bill: string;
}

interface ReasonFormProps extends BillFormProps<'reason'> {
  readonly button: string;
  readonly look: 'primary' | 'danger';
}

export function ReasonForm({ action, bill, button, look }: ReasonFormProps) {
  const { sender, field } = useFormAction(action, {});
  return (
    <ActionForm action={sender} hidden={{ bill }} className="mt-3 grid gap-3">
      <ReasonField {...field('reason')} id="close-reason" />
      <SubmitButton look={look}>{button}</SubmitButton>
    </ActionForm>
  );
}

/** The button that asks the provider for a number and a QR code. */
export function AskWaysForm({ action, bill, button }: BillFormProps<'bill'> & { readonly button: string }) {
  const { sender } = useFormAction(action, {});
  return (
    <ActionForm action={sender} hidden={{ bill }} className="mt-3 grid gap-3">
      <SubmitButton>{button}</SubmitButton>
    </ActionForm>
  );
}

export interface NoteFormProps extends BillFormProps<'text'> {
  readonly formId: string;
  readonly noteMax: number;
}

/** The form for a note, which only the team sees. */
export function NoteForm({ action, bill, formId, noteMax }: NoteFormProps) {
  const t = useTranslations('BillForms');
  const { sender, field } = useFormAction(action, {});
  return (
    <Fold
      className="mt-2"
      title={
        <>
          <Icon name="plus" /> {t('writeNote')}
        </>
      }
    >
      <ActionForm action={sender} hidden={{ bill, form: formId }} className="mt-2 grid max-w-xl gap-3">
        <Textarea {...field('text')} id="note" label={t('noteLabel')} hint={t('noteHint')} maxLength={noteMax} required />
        <SubmitButton look="plain">{t('noteSave')}</SubmitButton>
      </ActionForm>
    </Fold>
  );
}

interface InfoFormProps extends BillFormProps<InfoField> {
  readonly typed: Readonly<Record<InfoField, string>>;
  readonly fields: readonly InfoFormField[];
}

/** The form that changes the optional values of a bill. */
export function InfoForm({ action, bill, typed, fields }: InfoFormProps) {
  const t = useTranslations('BillInfo');
  const { sender, field } = useFormAction(action, typed);
  return (
    <ActionForm action={sender} hidden={{ bill }} className="grid gap-3">
      <InfoFields fields={fields} field={field} />
      <SubmitButton>{t('save')}</SubmitButton>
    </ActionForm>
  );
}

export type PaymentRequestField = 'mobile' | 'network' | 'amount';

interface PaymentRequestFormProps extends BillFormProps<PaymentRequestField> {
  readonly formId: string;
  readonly first: Readonly<Record<PaymentRequestField, string>>;
  /** The number that the request goes to unless the member changes it; null if it is not known. */
  readonly to: string | null;
  readonly networks: readonly Option[];
  /** The possible amounts as a text; null if the amount cannot be chosen. */
  readonly amountHint: string | null;
  /** Says which amount is requested if it is not the whole remaining amount. */
  readonly only: string | null;
  readonly button: string;
}

/** The form for a payment request: mobile number, network and amount. If the number is known, one click sends it. */
export function PaymentRequestForm({ action, bill, formId, first, to, networks, amountHint, only, button }: PaymentRequestFormProps) {
  const t = useTranslations('BillForms');
  const { sender, typed, problems, field } = useFormAction(action, first);
  const asked = (name: PaymentRequestField) => ({ ...field(name), id: `ask-${name}`, label: t(`ask_${name}`), autoComplete: 'off' });
  const fields = (
    <div className="grid gap-3">
      <p className="text-muted">{t('ask_text')}</p>
      <Field {...asked('mobile')} type="tel" inputMode="tel" maxLength={40} required />
      {/* A form reset also resets a select. The key re-creates it with the chosen value. */}
      <Select key={typed.network} {...asked('network')} options={[{ value: '', text: t('ask_byNumber') }, ...networks]} />
      {amountHint !== null && <Field {...asked('amount')} hint={amountHint} inputMode="numeric" maxLength={30} required />}
    </div>
  );
  return (
    <ActionForm action={sender} hidden={{ bill, form: formId }} className="grid gap-3 max-sm:w-full has-[details[open]]:w-full">
      {to === null ? (
        fields
      ) : (
        // The browser shows a missing value only in a field that is visible.
        <details
          open={problems?.mobile !== undefined || problems?.network !== undefined || problems?.amount !== undefined}
          onInvalidCapture={({ currentTarget }) => currentTarget.setAttribute('open', '')}
        >
          <summary className="flex min-h-control cursor-pointer list-none flex-wrap items-center gap-x-2">
            <Icon name="phone" className="size-4 text-muted" />
            <strong className="tabular-nums">{to}</strong>
            <span className="inline-flex items-center gap-1 font-semibold text-brand">
              {t('ask_change')} <Icon name="down" className="size-4 [[open]>summary_&]:rotate-180" />
            </span>
          </summary>
          <div className="pt-2">{fields}</div>
        </details>
      )}
      {only !== null && <p>{only}</p>}
      <SubmitButton sending={t('ask_sending')} className="w-full">
        {button}
      </SubmitButton>
    </ActionForm>
  );
}

export type RecordField = 'kind' | 'amount' | 'day' | 'slip' | 'note' | 'overpay';

interface RecordFormProps extends BillFormProps<RecordField> {
  readonly formId: string;
  /** The proposed amount. */
  readonly amount: string;
  /** The present day: `2026-11-20`. */
  readonly today: string;
}

/** The form that records money which a person received. */
export function RecordForm({ action, bill, formId, amount, today }: RecordFormProps) {
  const t = useTranslations('BillForms');
  const { sender, typed, problems, field } = useFormAction(action, { kind: 'cash', amount, day: today });
  const asked = (name: 'amount' | 'day' | 'slip' | 'note') => ({
    ...field(name),
    id: `record-${name}`,
    label: t(`record_${name}`),
    autoComplete: 'off',
  });
  return (
    <ActionForm action={sender} hidden={{ bill, form: formId }} className="mt-2 grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          key={typed.kind}
          {...field('kind')}
          id="record-kind"
          label={t('record_kind')}
          options={HAND_SOURCES.map((kind) => ({ value: kind, text: t(`record_kind_${kind}`) }))}
        />
        <Field {...asked('amount')} unit="TZS" inputMode="decimal" maxLength={30} required />
        <DateField {...asked('day')} choices="past" required />
        <Field {...asked('slip')} hint={t('record_slipHint')} maxLength={SLIP_MAX} />
      </div>
      <Field {...asked('note')} maxLength={REASON_MAX} />
      {problems?.overpay && <Checkbox id="record-overpay" name="overpay" value="on" label={t('record_overpay')} hint={problems.overpay} />}
      <SubmitButton>{t('record_save')}</SubmitButton>
    </ActionForm>
  );
}

/** What the history needs to correct recorded payments. */
export interface Correcting {
  readonly action: FormAction<'to' | 'reason'>;
  readonly bill: string;
}

/** The form that corrects a recorded payment. */
export function CorrectForm({ action, bill, payment }: Correcting & { readonly payment: string }) {
  const t = useTranslations('BillForms');
  const { sender, field } = useFormAction(action, {});
  return (
    <Fold title={<span className="text-small">{t('correct')}</span>}>
      <ActionForm action={sender} hidden={{ bill, payment }} className="my-2 grid max-w-xl gap-3">
        <Field
          {...field('to')}
          id={`to-${payment}`}
          label={t('correctTo')}
          hint={t('correctHint')}
          unit="TZS"
          inputMode="decimal"
          autoComplete="off"
          maxLength={30}
          required
        />
        <Field {...field('reason')} id={`why-${payment}`} label={t('correctReason')} autoComplete="off" maxLength={REASON_MAX} required />
        <SubmitButton look="plain">{t('correctSave')}</SubmitButton>
      </ActionForm>
    </Fold>
  );
}

interface ShareTextsProps {
  readonly texts: Readonly<Record<Locale, string>>;
  /** The short address of the bill's page. */
  readonly link: string;
  /** The customer's number, to which SMS and WhatsApp address the text; null if the bill has none. */
  readonly mobile: string | null;
}

/** The text for the customer, in the language that the member chooses, and ways to send it. */
export function ShareTexts({ texts, link, mobile }: ShareTextsProps) {
  const t = useTranslations('BillForms');
  // The customer's language is unknown, so the first choice is Swahili.
  const [language, choose] = useState<Locale>('sw');
  const text = texts[language];
  // The button that opens the list of apps is only for phones: on computers, this list is mostly empty.
  const [phone, setPhone] = useState(false);
  useEffect(() => setPhone('share' in navigator && window.matchMedia('(pointer: coarse)').matches), []);
  const share = async () => {
    try {
      await navigator.share({ text });
    } catch (error) {
      // An AbortError means that the person closed the list of apps. After another error, the button that opens the list is removed. The
      // links for WhatsApp and SMS still work.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setPhone(false);
    }
  };
  const { sms, whatsapp } = shareAddresses(text, mobile);
  return (
    <div className="grid gap-3">
      <fieldset className="min-w-0">
        <legend className="sr-only">{t('textIn')}</legend>
        <div className="inline-flex max-w-full flex-wrap rounded-lg border border-edge">
          {LANGUAGES.map(({ value: locale, text: name }) => (
            <button
              key={locale}
              type="button"
              aria-pressed={locale === language}
              onClick={() => choose(locale)}
              className="flex min-h-control cursor-pointer items-center gap-1 rounded-lg px-3 text-sm font-semibold aria-pressed:bg-brand aria-pressed:text-on-brand"
            >
              {locale === language && <Icon name="check" />}
              <span lang={locale}>{name}</span>
            </button>
          ))}
        </div>
      </fieldset>
      <p lang={language} className="rounded-lg bg-ground p-3 text-sm wrap-anywhere" data-shown="message">
        {text}
      </p>
      <a href={whatsapp} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
        <Icon name="share" /> {t('whatsapp')}
      </a>
      <div className="grid grid-cols-2 gap-2 *:last:odd:col-span-2">
        <a href={sms} className={buttonClass('plain')}>
          <Icon name="phone" /> {t('sms')}
        </a>
        {phone && (
          <button type="button" onClick={share} className={buttonClass('plain')}>
            <Icon name="share" /> {t('shareApps')}
          </button>
        )}
        <CopyButton value={text} text={t('copyText')} full />
        <CopyButton value={link} text={t('copyLink')} full />
      </div>
    </div>
  );
}

/** The field for the reason why bills are closed or reopened. */
export function ReasonField(field: Omit<ComponentProps<typeof Field>, 'label'>) {
  const t = useTranslations('CloseReason');
  return <Field {...field} label={t('reason')} hint={t('reasonHint')} maxLength={REASON_MAX} required autoComplete="off" />;
}

interface InfoFieldsProps {
  readonly fields: readonly InfoFormField[];
  /** Returns the props of a field, as useFormAction does. */
  readonly field: (name: InfoField) => {
    readonly id: string;
    readonly name: string;
    readonly defaultValue: string | undefined;
    readonly problem: string | undefined;
  };
}

/** The fields for the optional values of a bill. */
export function InfoFields({ fields, field }: InfoFieldsProps) {
  const t = useTranslations('BillInfo');
  return fields.map(({ name, maxLength }) => {
    const about = { ...field(name), label: t(name), hint: t(`${name}Hint`) };
    return name === 'dueDate' ? (
      <DateField key={name} {...about} choices="due" />
    ) : (
      <Field key={name} {...about} autoComplete="off" maxLength={maxLength} />
    );
  });
}

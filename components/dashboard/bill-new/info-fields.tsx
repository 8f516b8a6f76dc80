import { useTranslations } from 'use-intl/react';
import { Field } from '@/components/ui/forms/fields';
import { CUSTOMER_NAME_MAX, DESCRIPTION_MAX, type InfoField, type TypedInfo } from '@/lib/bills/info-fields';

interface InfoFieldsProps {
  readonly typed: TypedInfo;
  readonly problems: Readonly<Partial<Record<InfoField, string>>>;
}

/** The fields for the optional values of a bill. */
export function InfoFields({ typed, problems }: InfoFieldsProps) {
  const t = useTranslations('BillInfo');
  const field = (id: InfoField) => ({ id, label: t(id), problem: problems[id], defaultValue: typed[id] ?? '', autoComplete: 'off' });
  return (
    <>
      <Field {...field('customerName')} hint={t('customerNameHint')} maxLength={CUSTOMER_NAME_MAX} />
      <Field {...field('description')} hint={t('descriptionHint')} maxLength={DESCRIPTION_MAX} />
      <Field {...field('dueDate')} hint={t('dueDateHint')} type="date" min="2000-01-01" max="2099-12-31" />
    </>
  );
}

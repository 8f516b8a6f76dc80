import { useTranslations } from 'use-intl/react';
import { Field } from '@/components/ui/forms/fields';
import { REASON_MAX } from '@/lib/core/text';

interface ReasonFieldProps {
  readonly id: string;
  /** The reason, as it was entered. */
  readonly typed: string;
  readonly problem?: string | null;
}

/** The field for the reason why bills are closed or reopened. */
export function ReasonField({ id, typed, problem }: ReasonFieldProps) {
  const t = useTranslations('CloseBill');
  return (
    <Field
      id={id}
      name="reason"
      label={t('reason')}
      hint={t('reasonHint')}
      problem={problem}
      defaultValue={typed}
      maxLength={REASON_MAX}
      required
      autoComplete="off"
    />
  );
}

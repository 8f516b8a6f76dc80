'use client';

import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';

interface LimitFormProps {
  readonly action: FormAction<'limit'>;
  /** The present limit in shillings; empty for none. */
  readonly limit: string;
  readonly disabled: boolean;
}

/** Asks for another limit of refunds. */
export function LimitForm({ action, limit, disabled }: LimitFormProps) {
  const t = useTranslations('RefundLimit');
  const { sender, field } = useFormAction(action, { limit });
  return (
    <ActionForm action={sender}>
      <fieldset disabled={disabled} className="grid max-w-md gap-4">
        <Field
          {...field('limit')}
          id="refund-limit"
          label={t('limit')}
          unit="TZS"
          hint={t('limitHint')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={30}
        />
        {!disabled && <SubmitButton>{t('ask')}</SubmitButton>}
      </fieldset>
    </ActionForm>
  );
}

interface ChangeFormProps {
  readonly action: FormAction<'asked' | 'decision'>;
  readonly title: string;
  readonly about: string;
  /** When the change was asked for, which identifies it. */
  readonly asked: string;
  /** Whether the viewer has asked for the change. */
  readonly own: boolean;
  readonly disabled: boolean;
}

/** A change of the limit that waits for another person. */
export function ChangeForm({ action, title, about, asked, own, disabled }: ChangeFormProps) {
  const t = useTranslations('RefundLimit');
  const { sender } = useFormAction(action, {});
  return (
    <ActionForm action={sender} hidden={{ asked }} className="grid gap-3">
      <Notice tone="wait" title={title}>
        <p>{about}</p>
        {own && <p>{t('own')}</p>}
      </Notice>
      <fieldset disabled={disabled} className="flex flex-wrap gap-3">
        {!own && (
          <SubmitButton name="decision" value="confirm">
            {t('confirm')}
          </SubmitButton>
        )}
        <SubmitButton look="plain" name="decision" value="drop">
          {t(own ? 'withdraw' : 'refuse')}
        </SubmitButton>
      </fieldset>
    </ActionForm>
  );
}

'use client';

import { useTranslations } from 'use-intl/react';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import type { PlacedForm } from '../place';
import type { CashierLink } from './cashier-link';
import { LinkReady } from './link-ready';

export type CashierState =
  | {
      readonly kind: 'form';
      readonly name: string;
      readonly mobile: string;
      readonly field: 'name' | 'mobile' | null;
      readonly problem: string | null;
    }
  | ({ readonly kind: 'ready' } & CashierLink);

interface CashierFormProps extends PlacedForm<CashierState> {
  /** The address of the page with this form. After an invitation, a link leads to it, so that the form is shown again. */
  readonly again: string;
}

/** Invites a cashier by name and phone number. */
export function CashierForm({ action, place, again }: CashierFormProps) {
  const t = useTranslations('Cashiers');
  const [state, submit] = useFormAction(action, { kind: 'form', name: '', mobile: '', field: null, problem: null });
  if (state.kind === 'ready') {
    return (
      <Focused label={t('title')}>
        <LinkReady {...state} />
        <p className="mt-3">
          <a href={again} className="font-semibold text-brand underline">
            {t('done')}
          </a>
        </p>
      </Focused>
    );
  }
  const asked = (field: 'name' | 'mobile') => ({
    id: `cashier-${field}`,
    name: field,
    label: t(field),
    problem: state.field === field ? state.problem : null,
    defaultValue: state[field],
    autoComplete: 'off',
    required: true,
  });
  return (
    <ActionForm
      action={submit}
      hidden={place}
      problem={state.field === null ? state.problem : null}
      className="grid max-w-2xl gap-4 sm:grid-cols-2"
    >
      <Field {...asked('name')} maxLength={100} />
      <Field {...asked('mobile')} type="tel" inputMode="tel" maxLength={30} />
      <SubmitButton sending={t('creating')}>{t('create')}</SubmitButton>
    </ActionForm>
  );
}

export type NewLinkState = { readonly kind: 'form'; readonly problem: string | null } | ({ readonly kind: 'ready' } & CashierLink);

interface NewLinkProps extends PlacedForm<NewLinkState> {
  readonly cashier: { readonly name: string; readonly mobile: string };
}

/** Makes another link for a cashier who is already in the team. With it, the cashier sets a new PIN, or starts to use another phone. */
export function NewLink({ action, place, cashier }: NewLinkProps) {
  const t = useTranslations('Cashiers');
  const [state, submit] = useFormAction(action, { kind: 'form', problem: null });
  if (state.kind === 'ready') return <LinkReady {...state} />;
  return (
    <ActionForm action={submit} hidden={{ ...place, ...cashier }} problem={state.problem} className="grid gap-2">
      <p className="text-sm">{t('newLinkText', { name: cashier.name })}</p>
      <SubmitButton look="plain" className="w-full" aria-label={t('newLinkFor', { name: cashier.name })}>
        {t('newLink')}
      </SubmitButton>
    </ActionForm>
  );
}

'use client';

import { useTranslations } from 'use-intl/react';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field, Select } from '@/components/ui/forms/fields';
import type { Role } from '@/lib/accounts/permissions';
import type { PlacedForm } from '../place';
import { InvitationLink, type Sent } from './invitation-link';

export type InviteState =
  | { readonly kind: 'form'; readonly email: string; readonly role: string; readonly problem: string | null }
  | ({ readonly kind: 'sent' } & Sent);

interface InviteFormProps extends PlacedForm<InviteState> {
  /** The roles that the viewer may give to others. */
  readonly roles: readonly Role[];
  /** The address of this page, to load it again. */
  readonly again: string;
}

export function InviteForm({ action, place, roles, again }: InviteFormProps) {
  const t = useTranslations('Team');
  const shell = useTranslations('Shell');
  const [state, submit] = useFormAction(action, { kind: 'form', email: '', role: roles.at(-1) ?? '', problem: null });
  if (state.kind === 'sent') {
    return (
      <Focused label={t('inviteTitle')}>
        <InvitationLink email={state.email} link={state.link} />
        <p>
          <a href={again} className="font-semibold text-brand underline">
            {t('again')}
          </a>
        </p>
      </Focused>
    );
  }
  return (
    <ActionForm action={submit} hidden={place} className="grid max-w-2xl gap-4 sm:grid-cols-[2fr_1fr]">
      <Field
        id="email"
        type="email"
        label={t('email')}
        problem={state.problem}
        defaultValue={state.email}
        required
        maxLength={254}
        autoComplete="off"
      />
      <Select
        key={state.role}
        id="role"
        label={t('role')}
        defaultValue={state.role}
        options={roles.map((role) => ({ value: role, text: shell(`role_${role}`) }))}
      />
      <SubmitButton sending={t('inviting')}>{t('invite')}</SubmitButton>
    </ActionForm>
  );
}

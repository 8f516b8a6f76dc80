'use client';

import { useTranslations } from 'use-intl/react';
import type { CashierLink } from '@/components/dashboard/cashiers/cashier-link';
import { LinkReady } from '@/components/dashboard/cashiers/link-ready';
import { CopiedValue } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field, Select } from '@/components/ui/forms/fields';
import { Notice } from '@/components/ui/notice';
import type { Role } from '@/lib/accounts/permissions';
import type { PlacedForm } from '../place';
import { roleTitle } from './role-title';

export type InviteState =
  | { readonly kind: 'form'; readonly email: string; readonly role: string; readonly problem: string | null }
  | ({ readonly kind: 'sent' } & Sent);

interface InviteFormProps extends PlacedForm<InviteState> {
  /** The roles that the viewer may give to others. */
  readonly roles: readonly Role[];
  /** The address of the page with this form. After an invitation, a link leads to it, so that the form is shown again. */
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
            {t('done')}
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
        options={roles.map((role) => ({ value: role, text: roleTitle(shell(`role_${role}`)) }))}
      />
      <SubmitButton sending={t('inviting')}>{t('invite')}</SubmitButton>
    </ActionForm>
  );
}

export type SendAgainState =
  | { readonly kind: 'form' }
  | { readonly kind: 'problem'; readonly problem: string }
  | ({ readonly kind: 'sent'; readonly cashier: CashierLink | null } & Sent);

interface SendAgainProps extends PlacedForm<SendAgainState> {
  readonly invitation: { readonly id: string; readonly email: string };
}

export function SendAgain({ action, place, invitation }: SendAgainProps) {
  const t = useTranslations('Team');
  const [state, submit] = useFormAction(action, { kind: 'form' });
  if (state.kind === 'sent' && state.cashier) return <LinkReady {...state.cashier} />;
  if (state.kind === 'sent') return <InvitationLink email={state.email} link={state.link} />;
  return (
    <ActionForm
      action={submit}
      hidden={{ ...place, invitation: invitation.id }}
      problem={state.kind === 'problem' ? state.problem : null}
      className="grid gap-2"
    >
      <SubmitButton look="plain" aria-label={t('sendAgainTo', { email: invitation.email })}>
        {t('sendAgain')}
      </SubmitButton>
    </ActionForm>
  );
}

/**
 * A created invitation. `link` is null if Bili mailed the invitation. Otherwise the member must send the link, which only this answer
 * contains.
 */
interface Sent {
  readonly email: string;
  readonly link: string | null;
}

function InvitationLink({ email, link }: Sent) {
  const t = useTranslations('Team');
  if (link === null) {
    return <Notice tone="good" title={t('mailedTitle')} role="status" text={t('mailedText', { email })} />;
  }
  return (
    <div className="grid gap-3">
      <Notice tone="wait" title={t('linkTitle')} role="status" text={t('linkText', { email })} />
      <CopiedValue label={t('link')} value={link} />
    </div>
  );
}

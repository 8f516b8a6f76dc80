'use client';

import { buttonClass } from '@/components/ui/button';
import { CopiedValue } from '@/components/ui/copied-value';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field, Select } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';
import type { Role } from '@/lib/identity/accounts/permissions';
import { roleTitle } from './role-title';

/** A link for a cashier. `whatsapp` and `sms` open these apps with a message to the cashier's number that contains the link. */
interface CashierLink {
  readonly name: string;
  readonly link: string;
  readonly whatsapp: string;
  readonly sms: string;
}

export type InviteCashier = FormAction<'name' | 'mobile', CashierLink>;

interface CashierFormProps {
  readonly action: InviteCashier;
  /** The address of the page with this form. After an invitation, a link leads to it, so that the form is shown again. */
  readonly again: string;
}

/** Invites a cashier by name and phone number. */
export function CashierForm({ action, again }: CashierFormProps) {
  const t = useTranslations('Cashiers');
  const { sender, done, field } = useFormAction(action, {});
  if (done) {
    return (
      <Focused label={t('title')}>
        <LinkReady {...done} />
        <p className="mt-3">
          <a href={again} className="font-semibold text-brand underline">
            {t('done')}
          </a>
        </p>
      </Focused>
    );
  }
  const asked = (name: 'name' | 'mobile') =>
    ({ ...field(name), id: `cashier-${name}`, label: t(name), autoComplete: 'off', required: true }) as const;
  return (
    <ActionForm action={sender} className="grid max-w-2xl gap-4 sm:grid-cols-2">
      <Field {...asked('name')} maxLength={100} autoFocus />
      <Field {...asked('mobile')} type="tel" inputMode="tel" maxLength={30} />
      <SubmitButton sending={t('creating')}>{t('create')}</SubmitButton>
    </ActionForm>
  );
}

interface NewLinkProps {
  readonly action: InviteCashier;
  readonly cashier: { readonly name: string; readonly mobile: string };
}

/** Makes another link for a cashier who is already in the team. With it, the cashier sets a new PIN, or starts to use another phone. */
export function NewLink({ action, cashier }: NewLinkProps) {
  const t = useTranslations('Cashiers');
  const { sender, done, problems } = useFormAction(action, {});
  if (done) return <LinkReady {...done} />;
  // The form shows neither name nor number, so their errors concern the whole form.
  const problem = problems?.all ?? problems?.mobile ?? problems?.name;
  return (
    <ActionForm action={{ ...sender, problem }} hidden={cashier} className="grid gap-2">
      <p className="text-sm">{t('newLinkText', { name: cashier.name })}</p>
      <SubmitButton look="plain" className="w-full" aria-label={t('newLinkFor', { name: cashier.name })}>
        {t('newLink')}
      </SubmitButton>
    </ActionForm>
  );
}

/** The new link of a cashier with the ways to send it. The link is shown only once. */
function LinkReady({ name, link, whatsapp, sms }: CashierLink) {
  const t = useTranslations('Cashiers');
  return (
    <div className="grid max-w-xl gap-3">
      <Notice tone="good" role="status" title={t('readyTitle', { name })} text={t('readyText')} />
      <div className="grid gap-2 sm:grid-cols-2">
        <a href={whatsapp} target="_blank" rel="noopener noreferrer" className={buttonClass('primary')}>
          <Icon name="share" className="size-5" />
          {t('whatsapp')}
        </a>
        <a href={sms} className={buttonClass('plain')}>
          <Icon name="phone" className="size-5" />
          {t('sms')}
        </a>
      </div>
      <CopiedValue label={t('link')} value={link} />
    </div>
  );
}

interface InviteFormProps {
  readonly action: FormAction<'email' | 'role', Sent>;
  /** The roles that the viewer may give to others. */
  readonly roles: readonly Role[];
  /** The address of the page with this form. After an invitation, a link leads to it, so that the form is shown again. */
  readonly again: string;
}

export function InviteForm({ action, roles, again }: InviteFormProps) {
  const t = useTranslations('Team');
  const shell = useTranslations('Shell');
  const { sender, typed, done, field } = useFormAction(action, { role: roles.at(-1) ?? '' });
  if (done) {
    return (
      <Focused label={t('invite_member')}>
        <InvitationLink {...done} />
        <p>
          <a href={again} className="font-semibold text-brand underline">
            {t('done')}
          </a>
        </p>
      </Focused>
    );
  }
  return (
    <ActionForm action={sender} className="grid max-w-2xl gap-4 sm:grid-cols-[2fr_1fr]">
      <Field {...field('email')} type="email" label={t('email')} required maxLength={254} autoComplete="off" autoFocus />
      <Select
        key={typed.role}
        {...field('role')}
        label={t('role')}
        options={roles.map((role) => ({ value: role, text: roleTitle(shell(`role_${role}`)) }))}
      />
      <SubmitButton sending={t('inviting')}>{t('invite')}</SubmitButton>
    </ActionForm>
  );
}

export type SendAgainAction = FormAction<never, Sent & { readonly cashier: CashierLink | null }>;

interface SendAgainProps {
  readonly action: SendAgainAction;
  readonly invitation: { readonly id: string; readonly email: string };
}

export function SendAgain({ action, invitation }: SendAgainProps) {
  const t = useTranslations('Team');
  const { sender, done } = useFormAction(action, {});
  if (done?.cashier) return <LinkReady {...done.cashier} />;
  if (done) return <InvitationLink {...done} />;
  return (
    <ActionForm action={sender} hidden={{ invitation: invitation.id }} className="grid gap-2">
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

'use client';

import { useTranslations } from 'use-intl/react';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import type { PlacedForm } from '../place';
import { InvitationLink, type Sent } from './invitation-link';

export type SendAgainState =
  | { readonly kind: 'form' }
  | { readonly kind: 'problem'; readonly problem: string }
  | ({ readonly kind: 'sent' } & Sent);

interface SendAgainProps extends PlacedForm<SendAgainState> {
  readonly invitation: { readonly id: string; readonly email: string };
}

export function SendAgain({ action, place, invitation }: SendAgainProps) {
  const t = useTranslations('Team');
  const [state, submit] = useFormAction(action, { kind: 'form' });
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

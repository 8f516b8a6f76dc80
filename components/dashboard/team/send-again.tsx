'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { type Place, PlaceFields } from '../place-fields';
import { LinkOnce, type Sent } from './link-once';

export type SendAgainState =
  | { readonly kind: 'form' }
  | { readonly kind: 'problem'; readonly problem: string }
  | ({ readonly kind: 'sent' } & Sent);

interface SendAgainProps {
  readonly action: (before: SendAgainState, form: FormData) => Promise<SendAgainState>;
  readonly place: Place;
  readonly invitation: { readonly id: string; readonly email: string };
}

export function SendAgain({ action, place, invitation }: SendAgainProps) {
  const t = useTranslations('Team');
  const [state, submit, pending] = useActionState(action, { kind: 'form' });
  if (state.kind === 'sent') return <LinkOnce email={state.email} link={state.link} />;
  return (
    <form action={submit} className="grid gap-2">
      <PlaceFields {...place} />
      <input type="hidden" name="invitation" value={invitation.id} />
      {state.kind === 'problem' && (
        <Notice tone="bad" role="alert">
          <p>{state.problem}</p>
        </Notice>
      )}
      <Button look="plain" disabled={pending} aria-label={t('sendAgainTo', { email: invitation.email })}>
        {t('sendAgain')}
      </Button>
    </form>
  );
}

'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { PlaceFields, type PlaceProps } from '@/components/dashboard/keys/place-fields';
import { Button } from '@/components/ui/button';
import { Focused } from '@/components/ui/focused';
import { Icon } from '@/components/ui/icon';
import { SecretValue } from './secret-value';

export interface SecretState {
  readonly secrets: readonly { readonly label: string; readonly value: string }[];
  readonly problem: string | null;
}

interface SecretFormProps extends PlaceProps {
  readonly action: (before: SecretState, form: FormData) => Promise<SecretState>;
}

/** The secret stays hidden until somebody asks for it. */
export function SecretForm({ action, merchant, environment }: SecretFormProps) {
  const t = useTranslations('Hooks');
  const [state, submit, pending] = useActionState(action, { secrets: [], problem: null });
  if (state.secrets.length > 0) {
    return (
      <Focused label={t('secretTitle')}>
        {state.secrets.map((secret) => (
          <SecretValue key={secret.label} {...secret} />
        ))}
        <p className="text-sm text-muted">{t('hideHint')}</p>
      </Focused>
    );
  }
  return (
    <form action={submit}>
      <PlaceFields merchant={merchant} environment={environment} />
      <code aria-hidden="true" className="mb-3 block rounded-lg bg-ground p-3 text-sm">
        whsec_••••••••••••••••••••••••
      </code>
      {state.problem && (
        <p role="alert" className="mb-3 font-semibold text-danger">
          {state.problem}
        </p>
      )}
      <Button look="plain" disabled={pending}>
        <Icon name="eye" /> {t('showSecret')}
      </Button>
    </form>
  );
}

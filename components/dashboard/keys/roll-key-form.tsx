'use client';

import { useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/select';
import type { MadeKey } from './key-form';
import { ShownSecret } from './made-key';
import { PlaceFields, type PlaceProps } from './place-fields';

const OVERLAPS = ['hour', 'day', 'week', 'open'] as const;

export type RollKeyState = { readonly kind: 'form'; readonly overlap: string; readonly problem: string | null } | MadeKey;

interface RollKeyFormProps extends PlaceProps {
  readonly action: (before: RollKeyState, form: FormData) => Promise<RollKeyState>;
  readonly keyId: string;
  /** Whether it has a successor that works: then there is nothing to do. */
  readonly rolled: boolean;
  /** The key's page, loaded anew. */
  readonly again: string;
}

export function RollKeyForm({ action, merchant, environment, keyId, rolled, again }: RollKeyFormProps) {
  const t = useTranslations('KeyPage');
  const [state, submit, pending] = useActionState(action, { kind: 'form', overlap: 'day', problem: null });
  if (state.kind === 'made') return <ShownSecret made={state} title={t('rolledTitle')} next={{ href: again, text: t('dropTitle') }} />;
  if (rolled) return <p>{t('rolled_before')}</p>;
  return (
    <form action={submit} className="grid max-w-xl gap-4">
      <PlaceFields merchant={merchant} environment={environment} />
      <input type="hidden" name="key" value={keyId} />
      <p>{t('rollText')}</p>
      <Select
        id="overlap"
        label={t('overlap')}
        options={OVERLAPS.map((value) => ({ value, text: t(`overlap_${value}`) }))}
        defaultValue={state.overlap}
        problem={state.problem}
      />
      <Button disabled={pending} className="justify-self-start">
        {pending ? t('rolling') : t('rollNow')}
      </Button>
    </form>
  );
}

'use client';

import { useTranslations } from 'use-intl/react';
import { Checkbox } from '@/components/ui/checkbox';
import type { Place } from '../place-fields';
import { type SettingsAction, SettingsForm } from './settings-form';

interface PaymentsFormProps {
  readonly action: SettingsAction;
  readonly place: Place;
  readonly now: Readonly<Record<'partial' | 'unique', string>>;
  readonly disabled: boolean;
}

export function PaymentsForm(props: PaymentsFormProps) {
  const t = useTranslations('Settings');
  return (
    <SettingsForm {...props}>
      {({ typed }) => (
        <div className="grid max-w-2xl gap-3">
          <Checkbox
            key={`partial-${typed.partial}`}
            id="partial"
            name="partial"
            value="on"
            label={t('partial')}
            hint={t('partialHint')}
            defaultChecked={typed.partial === 'on'}
          />
          <Checkbox
            key={`unique-${typed.unique}`}
            id="unique"
            name="unique"
            value="on"
            label={t('unique')}
            hint={t('uniqueHint')}
            defaultChecked={typed.unique === 'on'}
          />
        </div>
      )}
    </SettingsForm>
  );
}

'use client';

import { useTranslations } from 'use-intl/react';
import { Checkbox } from '@/components/ui/forms/fields';
import { SettingsForm, type SettingsProps } from './settings-form';

const CHOICES = ['partial', 'unique'] as const;

export function PaymentsForm(props: SettingsProps<(typeof CHOICES)[number]>) {
  const t = useTranslations('Settings');
  return (
    <SettingsForm {...props}>
      {({ typed }) => (
        <div className="grid max-w-2xl gap-3">
          {CHOICES.map((choice) => (
            <Checkbox
              key={`${choice}-${typed[choice]}`}
              id={choice}
              value="on"
              label={t(choice)}
              hint={t(`${choice}Hint`)}
              defaultChecked={typed[choice] === 'on'}
            />
          ))}
        </div>
      )}
    </SettingsForm>
  );
}

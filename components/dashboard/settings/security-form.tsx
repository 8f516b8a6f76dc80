'use client';

import { useTranslations } from 'use-intl/react';
import { Checkbox } from '@/components/ui/forms/fields';
import { SettingsForm, type SettingsProps } from './settings-form';

/** Whether members need a second factor to change anything. */
export function SecurityForm(props: SettingsProps<'factor'>) {
  const t = useTranslations('Settings');
  return (
    <SettingsForm {...props}>
      {({ typed }) => (
        <Checkbox
          key={typed.factor}
          id="factor"
          value="on"
          label={t('factor')}
          hint={t('factorHint')}
          defaultChecked={typed.factor === 'on'}
        />
      )}
    </SettingsForm>
  );
}

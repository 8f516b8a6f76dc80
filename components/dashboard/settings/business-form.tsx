'use client';

import { useTranslations } from 'use-intl/react';
import { Field, Select } from '@/components/ui/forms/fields';
import { SettingsForm, type SettingsProps } from './settings-form';

export function BusinessForm(props: SettingsProps<'name' | 'language'>) {
  const t = useTranslations('Settings');
  return (
    <SettingsForm {...props}>
      {({ typed, problems }) => (
        <div className="grid max-w-xl gap-4">
          <Field
            id="name"
            label={t('name')}
            hint={t('nameHint')}
            defaultValue={typed.name}
            problem={problems.name}
            required
            maxLength={100}
            autoComplete="organization"
          />
          <Select
            key={typed.language}
            id="language"
            label={t('languageLabel')}
            hint={t('languageHint')}
            defaultValue={typed.language}
            options={(['browser', 'sw', 'en'] as const).map((value) => ({ value, text: t(`language_${value}`) }))}
          />
        </div>
      )}
    </SettingsForm>
  );
}

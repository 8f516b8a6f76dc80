'use client';

import { useTranslations } from 'use-intl/react';
import { Textarea } from '@/components/ui/forms/fields';
import { SettingsForm, type SettingsProps } from './settings-form';

/** The websites to which payment pages may link back, one per line. */
export function ReturnForm(props: SettingsProps<'origins'>) {
  const t = useTranslations('ReturnLinks');
  return (
    <SettingsForm {...props}>
      {({ typed, problems }) => (
        <div className="max-w-2xl">
          <Textarea
            id="origins"
            label={t('origins')}
            hint={t('hint')}
            problem={problems.origins}
            defaultValue={typed.origins}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={6_000}
          />
        </div>
      )}
    </SettingsForm>
  );
}

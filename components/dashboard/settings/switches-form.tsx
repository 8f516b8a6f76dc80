'use client';

import { useTranslations } from 'use-intl/react';
import { Checkbox } from '@/components/ui/forms/fields';
import { SettingsForm, type SettingsProps } from './settings-form';

interface SwitchesFormProps extends SettingsProps {
  readonly names: readonly ('partial' | 'unique' | 'factor')[];
  readonly className?: string;
}

/** Settings that are on or off. */
export function SwitchesForm({ names, className = '', ...props }: SwitchesFormProps) {
  const t = useTranslations('Settings');
  return (
    <SettingsForm {...props}>
      {({ typed }) => (
        <div className={`grid gap-3 ${className}`}>
          {names.map((name) => (
            <Checkbox
              key={`${name}-${typed[name]}`}
              id={name}
              value="on"
              label={t(name)}
              hint={t(`${name}Hint`)}
              defaultChecked={typed[name] === 'on'}
            />
          ))}
        </div>
      )}
    </SettingsForm>
  );
}

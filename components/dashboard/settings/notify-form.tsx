'use client';

import { useTranslations } from 'use-intl/react';
import { Textarea } from '@/components/ui/textarea';
import { SettingsForm, type SettingsProps } from './settings-form';

interface NotifyFormProps extends SettingsProps<'webhooks'> {
  readonly most: number;
}

export function NotifyForm({ most, ...props }: NotifyFormProps) {
  const t = useTranslations('Settings');
  return (
    <SettingsForm {...props}>
      {({ typed, problems }) => (
        <div className="max-w-xl">
          <Textarea
            id="webhooks"
            label={t('notify_webhooks')}
            hint={t('notifyHint', { most: String(most) })}
            defaultValue={typed.webhooks}
            problem={problems.webhooks}
            maxLength={3000}
            spellCheck={false}
          />
        </div>
      )}
    </SettingsForm>
  );
}

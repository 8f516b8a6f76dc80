'use client';

import { useTranslations } from 'use-intl/react';
import { Checkbox, Field, Select, Textarea } from '@/components/ui/forms/fields';
import type { Topic } from '@/lib/merchants/notify-rules';
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

interface SwitchesFormProps extends SettingsProps {
  readonly names: readonly ('partial' | 'unique' | 'factor')[];
  readonly className?: string;
}

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

/** `now` contains the addresses of each topic, and in `<topic>_on` whether the topic is on. */
/** The notification topics with their recipients. The recipients of a topic appear when it is turned on, also without JavaScript. */
export function NotifyForm({ topics, most, ...props }: SettingsProps & { readonly topics: readonly Topic[]; readonly most: number }) {
  const t = useTranslations('Settings');
  return (
    <SettingsForm {...props}>
      {({ typed, problems }) => (
        <>
          <p className="max-w-prose text-muted">{t('notifyHint', { most: String(most) })}</p>
          <ul className="max-w-2xl divide-y divide-line border-y border-line">
            {topics.map((topic) => (
              <li key={topic} className="group py-3">
                <Checkbox
                  key={typed[`${topic}_on`]}
                  id={`${topic}_on`}
                  value="on"
                  label={t(`notify_${topic}`)}
                  hint={t(`notify_${topic}_hint`)}
                  defaultChecked={typed[`${topic}_on`] === 'on'}
                />
                <div className={`mt-3 ml-8 ${problems[topic] ? '' : 'hidden group-has-[:checked]:block'}`}>
                  <Textarea
                    id={topic}
                    label={t('notifyTo')}
                    aria-label={t('notifyToOf', { topic: t(`notify_${topic}`) })}
                    placeholder={t('notifyToAll')}
                    rows={2}
                    defaultValue={typed[topic]}
                    problem={problems[topic]}
                    maxLength={3000}
                    spellCheck={false}
                  />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </SettingsForm>
  );
}

'use client';

import { useTranslations } from 'use-intl/react';
import { Checkbox } from '@/components/ui/forms/fields';
import type { Topic } from '@/lib/merchants/notify-rules';
import { AddressList } from './address-list';
import { SettingsForm, type SettingsProps } from './settings-form';

type Switch = 'partial' | 'unique' | 'factor';

interface RulesFormProps extends SettingsProps<Switch> {
  /** The switches under each heading, with a note about where they apply. */
  readonly groups: readonly { readonly title: string; readonly note: string; readonly names: readonly Switch[] }[];
}

/** The form with the switches for the rules of bills and for the second factor. One button saves them all. */
export function RulesForm({ groups, ...props }: RulesFormProps) {
  const t = useTranslations('Settings');
  return (
    <SettingsForm {...props}>
      {({ typed }) =>
        groups.map(({ title, note, names }) => (
          <fieldset key={title} className="grid max-w-2xl gap-2">
            <legend className="font-semibold">{title}</legend>
            <p className="text-small text-muted">{note}</p>
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
          </fieldset>
        ))
      }
    </SettingsForm>
  );
}

/**
 * The notification topics with their recipients. The recipients of a topic appear when it is turned on, also without JavaScript. The prop
 * `now` has two values for each topic: `<topic>` is its addresses, one per line, and `<topic>_on` says whether the topic is on.
 */
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
                  <AddressList
                    topic={topic}
                    title={t(`notify_${topic}`)}
                    addresses={typed[topic] ?? ''}
                    problem={problems[topic]}
                    most={most}
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

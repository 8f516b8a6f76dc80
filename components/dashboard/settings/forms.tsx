'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Checkbox, Field, Textarea } from '@/components/ui/forms/fields';
import { Icon } from '@/components/ui/icon';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';
import type { Topic } from '@/lib/identity/merchants/notify-rules';

type Switch = 'partial' | 'unique' | 'cash' | 'ways' | 'factor';

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
 * `now` has the addresses of each topic, one per line, and in `on` the topics that are turned on, separated by spaces.
 */
export function NotifyForm({ topics, most, ...props }: SettingsProps & { readonly topics: readonly Topic[]; readonly most: number }) {
  const t = useTranslations('Settings');
  return (
    <SettingsForm {...props}>
      {({ typed, problems }) => {
        const on = typed.on?.split(' ') ?? [];
        return (
          <>
            <p className="max-w-prose text-muted">{t('notifyHint', { most: String(most) })}</p>
            <ul className="max-w-2xl divide-y divide-line border-y border-line">
              {topics.map((topic) => (
                <li key={topic} className="group py-3">
                  <Checkbox
                    key={String(on.includes(topic))}
                    id={`${topic}_on`}
                    name="on"
                    value={topic}
                    label={t(`notify_${topic}`)}
                    hint={t(`notify_${topic}_hint`)}
                    defaultChecked={on.includes(topic)}
                  />
                  <div className={`mt-3 ml-8 ${problems?.[topic] ? '' : 'hidden group-has-[:checked]:block'}`}>
                    <AddressList
                      topic={topic}
                      title={t(`notify_${topic}`)}
                      addresses={typed[topic] ?? ''}
                      problem={problems?.[topic]}
                      most={most}
                    />
                  </div>
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </SettingsForm>
  );
}

interface AddressListProps {
  readonly topic: string;
  readonly title: string;
  /** The addresses, one per line. */
  readonly addresses: string;
  readonly problem: string | undefined;
  readonly most: number;
}

/** The recipients of a topic: one field for each address, and an empty one at the end. An address is removed by emptying its field. */
function AddressList({ topic, title, addresses, problem, most }: AddressListProps) {
  const t = useTranslations('Settings');
  const first = [...addresses.split('\n').filter((one) => one !== ''), ''];
  const [rows, setRows] = useState(first.length);
  const shown = Math.min(most, Math.max(rows, first.length));
  return (
    <fieldset className="grid max-w-md gap-2">
      <legend className="mb-1 text-small text-muted">{t('notifyTo')}</legend>
      {Array.from({ length: shown }, (_, index) => (
        <Field
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position.
          key={index}
          id={index === 0 ? topic : `${topic}-${index + 1}`}
          name={topic}
          label={index === 0 ? t('notifyToOf', { topic: title }) : t('notifyToOfMore', { topic: title, number: index + 1 })}
          labelHidden
          defaultValue={first[index] ?? ''}
          placeholder={index === 0 ? t('notifyToAll') : t('notifyToMore')}
          problem={index === 0 ? problem : undefined}
          inputMode="email"
          autoComplete="email"
          spellCheck={false}
          maxLength={200}
          onChange={(event) => {
            if (index === shown - 1 && event.target.value !== '') setRows(shown + 1);
          }}
        />
      ))}
    </fieldset>
  );
}

/** The websites to which payment pages may link back, one per line. */
export function ReturnForm(props: SettingsProps<'origins'>) {
  const t = useTranslations('ReturnLinks');
  return (
    <SettingsForm {...props}>
      {({ field }) => (
        <div className="max-w-2xl">
          <Textarea
            {...field('origins')}
            label={t('origins')}
            hint={t('hint')}
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

export interface SettingsProps<Name extends string = string> {
  readonly action: FormAction<string, boolean>;
  readonly now: Readonly<Record<Name, string>>;
  readonly disabled: boolean;
}

interface SettingsFormProps extends SettingsProps {
  readonly children: (form: ReturnType<typeof useFormAction<string, boolean>> & { readonly touch: () => void }) => ReactNode;
}

/**
 * A form for settings. Once something is changed, the bar with its button stays in sight until it is saved. After saving, the form still
 * shows the values, and a note next to the button says that they were saved.
 */
export function SettingsForm({ action, now, disabled, children }: SettingsFormProps) {
  const t = useTranslations('Settings');
  const form = useFormAction(action, now);
  const { typed, done } = form;
  const [changed, setChanged] = useState(false);
  const touch = () => setChanged(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer of the server has its own values.
  useEffect(() => {
    if (done) setChanged(false);
  }, [typed, done]);
  return (
    <div onInput={touch}>
      <ActionForm action={form.sender} className="grid gap-5">
        <fieldset disabled={disabled} className="grid min-w-0 gap-5">
          {children({ ...form, touch })}
          {!disabled && (
            <div
              className={`-mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:-mx-5 sm:px-5 ${changed ? 'border-t border-line bg-surface tall:sticky tall:bottom-(--phone-bar)' : ''}`}
            >
              <SubmitButton look={changed ? 'primary' : 'plain'} sending={t('saving')}>
                {t('save')}
              </SubmitButton>
              {changed ? <p className="text-muted">{t('unsaved')}</p> : <SavedNote text={done && !form.pending ? t('saved') : null} />}
            </div>
          )}
        </fieldset>
      </ActionForm>
    </div>
  );
}

/** Says next to a button that everything is saved. Screen readers read it when it appears. */
export function SavedNote({ text }: { readonly text: string | null }) {
  return (
    <p role="status" className="flex items-center gap-2 font-semibold text-good-ink">
      {text !== null && (
        <>
          <Icon name="check" /> {text}
        </>
      )}
    </p>
  );
}

'use client';

import { type ReactNode, useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { type Place, PlaceFields } from '../place-fields';

/** What was typed, and what is wrong with it, by field. */
export interface SettingsState {
  readonly typed: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, string>>;
  readonly saved: boolean;
}

export type SettingsAction = (before: SettingsState, form: FormData) => Promise<SettingsState>;

interface SettingsFormProps {
  readonly action: SettingsAction;
  readonly place: Place;
  /** How it stands. */
  readonly now: Readonly<Record<string, string>>;
  /** For who may only look. */
  readonly disabled: boolean;
  /** The browser has emptied what it keeps itself, such as a file: as after every answer. */
  readonly onReset?: () => void;
  readonly children: (state: SettingsState) => ReactNode;
}

/** A form that keeps what was typed, and says where it stands that it is saved. */
export function SettingsForm({ action, place, now, disabled, onReset, children }: SettingsFormProps) {
  const t = useTranslations('Settings');
  const [state, submit, pending] = useActionState(action, { typed: now, problems: {}, saved: false });
  return (
    <form action={submit} onReset={onReset}>
      <PlaceFields {...place} />
      <fieldset disabled={disabled} className="grid min-w-0 gap-4">
        {children(state)}
        {state.problems.all && (
          <p role="alert" className="font-semibold text-danger">
            {state.problems.all}
          </p>
        )}
        {!disabled && (
          <div className="flex flex-wrap items-center gap-4">
            <Button disabled={pending}>{pending ? t('saving') : t('save')}</Button>
            <p role="status" className="flex items-center gap-2 font-semibold text-brand">
              {state.saved && !pending && (
                <>
                  <Icon name="check" /> {t('saved')}
                </>
              )}
            </p>
          </div>
        )}
      </fieldset>
    </form>
  );
}

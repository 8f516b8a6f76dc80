'use client';

import { type ReactNode, useActionState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ActionForm, type FormAction } from '@/components/ui/action-form';
import { Icon } from '@/components/ui/icon';
import { SubmitButton } from '@/components/ui/submit-button';
import type { Place } from '../place';

/** What was typed, and what is wrong with it, by field. */
export interface SettingsState {
  readonly typed: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, string>>;
  readonly saved: boolean;
}

/** What every part of the settings takes. */
export interface SettingsProps<Name extends string = string> {
  readonly action: FormAction<SettingsState>;
  readonly place: Place;
  /** How it stands. */
  readonly now: Readonly<Record<Name, string>>;
  /** For who may only look. */
  readonly disabled: boolean;
}

interface SettingsFormProps extends SettingsProps {
  readonly onReset?: () => void;
  readonly children: (state: SettingsState) => ReactNode;
}

/** A form that keeps what was typed, and says where it stands that it is saved. */
export function SettingsForm({ action, place, now, disabled, onReset, children }: SettingsFormProps) {
  const t = useTranslations('Settings');
  const [state, submit, pending] = useActionState(action, { typed: now, problems: {}, saved: false });
  return (
    <ActionForm action={submit} hidden={place} problem={state.problems.all} className="grid gap-4" onReset={onReset}>
      <fieldset disabled={disabled} className="grid min-w-0 gap-4">
        {children(state)}
        {!disabled && (
          <div className="flex flex-wrap items-center gap-4">
            <SubmitButton sending={t('saving')}>{t('save')}</SubmitButton>
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
    </ActionForm>
  );
}

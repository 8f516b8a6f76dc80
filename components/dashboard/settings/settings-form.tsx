'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Icon } from '@/components/ui/icon';
import type { PlacedForm } from '../place';

/** The form values and the errors by field. */
export interface SettingsState {
  readonly typed: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, string>>;
  readonly saved: boolean;
}

export interface SettingsProps<Name extends string = string> extends PlacedForm<SettingsState> {
  readonly now: Readonly<Record<Name, string>>;
  readonly disabled: boolean;
}

interface SettingsFormProps extends SettingsProps {
  readonly children: (state: SettingsState) => ReactNode;
}

/** A form for settings. After saving, it still shows the values, and a note next to the button says that they were saved. */
export function SettingsForm({ action, place, now, disabled, children }: SettingsFormProps) {
  const t = useTranslations('Settings');
  const [state, submit, pending] = useFormAction(action, { typed: now, problems: {}, saved: false });
  return (
    <ActionForm action={submit} hidden={place} problem={state.problems.all} className="grid gap-4">
      <fieldset disabled={disabled} className="grid min-w-0 gap-4">
        {children(state)}
        {!disabled && (
          <div className="flex flex-wrap items-center gap-4">
            <SubmitButton sending={t('saving')}>{t('save')}</SubmitButton>
            <SavedNote text={state.saved && !pending ? t('saved') : null} />
          </div>
        )}
      </fieldset>
    </ActionForm>
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

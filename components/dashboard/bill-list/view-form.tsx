'use client';

import { ActionForm, type FormAction, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';

export interface ViewFormState {
  readonly typed: string;
  readonly problem: string | null;
}

interface ViewFormProps {
  readonly action: FormAction<ViewFormState>;
  readonly hidden: Readonly<Record<string, string>>;
  readonly name: string;
  readonly label: string;
  readonly button: string;
  readonly nameMax: number;
}

/** The form for the name of a saved view. If saving fails, the form still shows the typed name. */
export function ViewForm({ action, hidden, name, label, button, nameMax }: ViewFormProps) {
  const [state, send] = useFormAction(action, { typed: name, problem: null });
  return (
    <ActionForm action={send} hidden={hidden} className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-56">
        <Field
          // React resets a form after it was sent. A new key makes the field show the typed name again.
          key={state.typed}
          id="view-name"
          name="name"
          label={label}
          defaultValue={state.typed}
          maxLength={nameMax}
          required
          problem={state.problem}
          autoComplete="off"
        />
      </div>
      <SubmitButton>{button}</SubmitButton>
    </ActionForm>
  );
}

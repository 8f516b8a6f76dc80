'use client';

import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import type { FormAction } from '@/lib/entry/server/form-action';

interface ViewFormProps {
  readonly action: FormAction<'name'>;
  readonly hidden: Readonly<Record<string, string>>;
  readonly name: string;
  readonly label: string;
  readonly button: string;
  readonly nameMax: number;
}

/** The form for the name of a saved view. If saving fails, the form still shows the typed name. */
export function ViewForm({ action, hidden, name, label, button, nameMax }: ViewFormProps) {
  const { sender, typed, field } = useFormAction(action, { name });
  return (
    <ActionForm action={sender} hidden={hidden} className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-56">
        <Field
          // React resets a form after it was sent. A new key makes the field show the typed name again.
          key={typed.name}
          {...field('name')}
          id="view-name"
          label={label}
          maxLength={nameMax}
          required
          autoComplete="off"
        />
      </div>
      <SubmitButton>{button}</SubmitButton>
    </ActionForm>
  );
}

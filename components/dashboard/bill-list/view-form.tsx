'use client';

import { useActionState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';

export interface ViewFormState {
  readonly typed: string;
  readonly problem: string | null;
}

interface ViewFormProps {
  readonly action: (before: ViewFormState, form: FormData) => Promise<ViewFormState>;
  readonly hidden: Readonly<Record<string, string>>;
  readonly name: string;
  readonly label: string;
  readonly button: string;
  readonly nameMax: number;
}

/** Asks for a view's name; keeps what was typed when it cannot be had. */
export function ViewForm({ action, hidden, name, label, button, nameMax }: ViewFormProps) {
  const [state, send, busy] = useActionState(action, { typed: name, problem: null });
  return (
    <form action={send} className="flex flex-wrap items-end gap-3">
      {Object.entries(hidden).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      <div className="min-w-0 flex-1 basis-56">
        <Field
          // React empties a form that was sent.
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
      <Button disabled={busy}>{button}</Button>
    </form>
  );
}

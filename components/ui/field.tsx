import type { ComponentProps } from 'react';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | null;
}

/** A labelled input with its hint and what is wrong with it. */
export function Field({ id, label, hint, problem, ...input }: FieldProps) {
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      <input
        id={id}
        aria-describedby={describedBy || undefined}
        aria-invalid={problem ? true : undefined}
        className="mt-1 block min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2 aria-invalid:border-2 aria-invalid:border-danger"
        {...input}
      />
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-1 font-semibold text-danger">
          {problem}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

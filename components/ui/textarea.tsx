import type { ComponentProps } from 'react';

interface TextareaProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | null;
}

/** A labelled field of several lines. */
export function Textarea({ id, label, hint, problem, ...textarea }: TextareaProps) {
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      <textarea
        id={id}
        rows={3}
        aria-describedby={describedBy || undefined}
        aria-invalid={problem ? true : undefined}
        className="mt-1 block w-full rounded-lg border border-edge bg-surface px-3 py-2 aria-invalid:border-2 aria-invalid:border-danger"
        {...textarea}
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

import type { ComponentProps } from 'react';

interface SelectProps extends Omit<ComponentProps<'select'>, 'id'> {
  readonly id: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly hint?: string;
  readonly problem?: string | null;
}

/** A labelled list to choose one from: the browser's own, which every phone and screen reader knows. */
export function Select({ id, label, options, hint, problem, ...select }: SelectProps) {
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      <select
        id={id}
        aria-describedby={describedBy || undefined}
        aria-invalid={problem ? true : undefined}
        className="mt-1 block min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2 aria-invalid:border-2 aria-invalid:border-danger"
        {...select}
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
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

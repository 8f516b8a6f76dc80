import type { ComponentProps } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'id' | 'type'> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
}

/** A labelled box to tick: the whole line can be pressed. */
export function Checkbox({ id, label, hint, ...input }: CheckboxProps) {
  return (
    <div>
      <label htmlFor={id} className="flex min-h-11 cursor-pointer items-center gap-3">
        <input id={id} type="checkbox" aria-describedby={hint && `${id}-hint`} className="size-5 shrink-0 accent-brand" {...input} />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className="ml-8 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

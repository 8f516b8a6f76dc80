import type { ReactNode } from 'react';

/** What every control with a label takes. */
export interface LabelledProps {
  /** Also the name that it is sent under, where none is given. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with it. */
  readonly problem?: string | null | undefined;
}

/** How a control of a form looks. */
export const CONTROL =
  'mt-1 block min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2 aria-invalid:border-2 aria-invalid:border-danger';

/** @returns what ties a control to its name, its hint and its problem. */
export function labelled({ id, hint, problem }: Omit<LabelledProps, 'label'>) {
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return { id, name: id, 'aria-describedby': describedBy || undefined, 'aria-invalid': problem ? true : undefined } as const;
}

/** A control's name above it; below it what is wrong with it, and a hint. */
export function Labelled({ id, label, hint, problem, children }: LabelledProps & { readonly children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      {children}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-1 font-semibold text-danger">
          {problem}
        </p>
      )}
      <Hint id={id} text={hint} />
    </div>
  );
}

export function Hint({
  id,
  text,
  className = 'mt-1',
}: {
  readonly id: string;
  readonly text: string | undefined;
  readonly className?: string;
}) {
  if (!text) return null;
  return (
    <p id={`${id}-hint`} className={`text-sm text-muted ${className}`}>
      {text}
    </p>
  );
}

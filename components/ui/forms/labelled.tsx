import type { ReactNode } from 'react';

/** The props of every labelled control. */
export interface LabelledProps {
  /** The id, and also the name of the control unless another name is set. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The validation error. */
  readonly problem?: string | null | undefined;
}

/** The style of a form control. */
export const CONTROL =
  'mt-1 block min-h-11 w-full rounded-lg border border-edge bg-surface px-3 py-2 aria-invalid:border-2 aria-invalid:border-danger';

/** Returns the attributes that connect a control with its label, hint and validation error. */
export function labelled({ id, hint, problem }: Omit<LabelledProps, 'label'>) {
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return { id, name: id, 'aria-describedby': describedBy || undefined, 'aria-invalid': problem ? true : undefined } as const;
}

/** A label above a control, and its validation error and hint below. */
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

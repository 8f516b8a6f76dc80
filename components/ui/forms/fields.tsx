'use client';

import type { ComponentProps, ReactNode } from 'react';
import { useProblem } from './field-problems';

interface LabelledProps {
  /** The id, and also the name of the control unless another name is set. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | null | undefined;
  /** Whether only screen readers get the label, because a heading above says the same. */
  readonly labelHidden?: boolean;
}

const CONTROL =
  'mt-1 block min-h-control w-full rounded-lg border border-edge bg-surface px-3 py-1 placeholder:text-muted aria-invalid:border-2 aria-invalid:border-danger';

interface FieldProps extends LabelledProps, Omit<ComponentProps<'input'>, 'id'> {
  /** A unit of at most three characters, shown inside the field before the value. */
  readonly unit?: string;
}

export function Field({ id, label, labelHidden = false, hint, problem, unit, ...input }: FieldProps) {
  const about = { id, hint, problem: useProblem(id, problem) };
  if (unit === undefined) {
    return (
      <Labelled {...about} label={label} labelHidden={labelHidden}>
        <input {...labelled(about)} className={CONTROL} {...input} />
      </Labelled>
    );
  }
  return (
    <Labelled
      {...about}
      label={
        <>
          {label} <span className="sr-only">({unit})</span>
        </>
      }
    >
      <div className="relative">
        <input {...labelled(about)} className={`${CONTROL} pl-12 tabular-nums`} {...input} />
        <span aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-3 grid items-center text-muted">
          {unit}
        </span>
      </div>
    </Labelled>
  );
}

export function Textarea({ id, label, hint, problem, ...textarea }: LabelledProps & Omit<ComponentProps<'textarea'>, 'id'>) {
  const about = { id, hint, problem: useProblem(id, problem) };
  return (
    <Labelled {...about} label={label}>
      <textarea {...labelled(about)} rows={3} className={CONTROL} {...textarea} />
    </Labelled>
  );
}

export interface Option {
  readonly value: string;
  readonly text: string;
}

interface SelectProps extends LabelledProps, Omit<ComponentProps<'select'>, 'id'> {
  readonly options: readonly Option[];
}

/** A labelled native select, which every phone and screen reader supports. */
export function Select({ id, label, options, hint, problem, ...select }: SelectProps) {
  const about = { id, hint, problem: useProblem(id, problem) };
  return (
    <Labelled {...about} label={label}>
      <select {...labelled(about)} className={CONTROL} {...select}>
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** A labelled checkbox. The whole line is clickable. */
export function Checkbox({ id, label, hint, ...input }: Omit<LabelledProps, 'problem'> & Omit<ComponentProps<'input'>, 'id' | 'type'>) {
  const problem = useProblem(id, null);
  return (
    <div>
      <label htmlFor={id} className="flex min-h-control cursor-pointer items-center gap-3">
        <input {...labelled({ id, hint, problem })} type="checkbox" className="size-5 shrink-0 accent-brand" {...input} />
        <span>{label}</span>
      </label>
      <Problem id={id} text={problem} className="ml-8" />
      <Hint id={id} text={hint} className="ml-8" />
    </div>
  );
}

/** Hidden inputs. A list becomes several inputs with the same name. */
export function HiddenFields({ values }: { readonly values: Readonly<Record<string, string | readonly string[]>> }) {
  return Object.entries(values).map(([name, value]) =>
    [value].flat().map((one) => <input key={`${name} ${one}`} type="hidden" name={name} value={one} />),
  );
}

/** Returns the attributes that connect a control with its label, hint and validation error. */
function labelled({ id, hint, problem }: Omit<LabelledProps, 'label'>) {
  const describedBy = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return { id, name: id, 'aria-describedby': describedBy || undefined, 'aria-invalid': problem ? true : undefined } as const;
}

interface LabelledChildren extends Omit<LabelledProps, 'label'> {
  readonly label: ReactNode;
  readonly children: ReactNode;
}

/** A label above a control, and its validation error and hint below. */
function Labelled({ id, label, labelHidden = false, hint, problem, children }: LabelledChildren) {
  return (
    <div>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'block font-semibold'}>
        {label}
      </label>
      {children}
      <Problem id={id} text={problem} className="mt-1" />
      <Hint id={id} text={hint} className="mt-1" />
    </div>
  );
}

/** The validation error of a control, which `labelled` connects with it. */
export function Problem({
  id,
  text,
  className,
}: {
  readonly id: string;
  readonly text: string | null | undefined;
  readonly className: string;
}) {
  if (!text) return null;
  return (
    <p id={`${id}-problem`} role="alert" className={`font-semibold text-danger ${className}`}>
      {text}
    </p>
  );
}

function Hint({ id, text, className }: { readonly id: string; readonly text: string | undefined; readonly className: string }) {
  if (!text) return null;
  return (
    <p id={`${id}-hint`} className={`text-sm wrap-anywhere text-muted ${className}`}>
      {text}
    </p>
  );
}

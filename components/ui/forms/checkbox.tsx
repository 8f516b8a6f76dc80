import type { ComponentProps } from 'react';
import { Hint, type LabelledProps, labelled } from './labelled';

type CheckboxProps = Omit<LabelledProps, 'problem'> & Omit<ComponentProps<'input'>, 'id' | 'type'>;

/** A labelled checkbox. The whole line is clickable. */
export function Checkbox({ id, label, hint, ...input }: CheckboxProps) {
  return (
    <div>
      <label htmlFor={id} className="flex min-h-11 cursor-pointer items-center gap-3">
        <input {...labelled({ id, hint })} type="checkbox" className="size-5 shrink-0 accent-brand" {...input} />
        <span>{label}</span>
      </label>
      <Hint id={id} text={hint} className="ml-8" />
    </div>
  );
}

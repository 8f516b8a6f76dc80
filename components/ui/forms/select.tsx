import type { ComponentProps } from 'react';
import { CONTROL, Labelled, type LabelledProps, labelled } from './labelled';

export interface Option {
  readonly value: string;
  readonly text: string;
}

interface SelectProps extends LabelledProps, Omit<ComponentProps<'select'>, 'id'> {
  readonly options: readonly Option[];
}

/** A labelled native select, which every phone and screen reader supports. */
export function Select({ id, label, options, hint, problem, ...select }: SelectProps) {
  const about = { id, hint, problem };
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

import type { ComponentProps } from 'react';
import { CONTROL, Labelled, type LabelledProps, labelled } from './labelled';

/** A labelled input. */
export function Field({ id, label, hint, problem, ...input }: LabelledProps & Omit<ComponentProps<'input'>, 'id'>) {
  const about = { id, hint, problem };
  return (
    <Labelled {...about} label={label}>
      <input {...labelled(about)} className={CONTROL} {...input} />
    </Labelled>
  );
}

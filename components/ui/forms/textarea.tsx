import type { ComponentProps } from 'react';
import { CONTROL, Labelled, type LabelledProps, labelled } from './labelled';

/** A labelled text area. */
export function Textarea({ id, label, hint, problem, ...textarea }: LabelledProps & Omit<ComponentProps<'textarea'>, 'id'>) {
  const about = { id, hint, problem };
  return (
    <Labelled {...about} label={label}>
      <textarea {...labelled(about)} rows={3} className={CONTROL} {...textarea} />
    </Labelled>
  );
}

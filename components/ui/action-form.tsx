import type { ReactNode } from 'react';
import { HiddenFields } from './hidden-fields';
import { Notice } from './notice';

/** Answers a form that keeps what was typed: with how it stands then. */
export type FormAction<State> = (before: State, form: FormData) => Promise<State>;

interface ActionFormProps {
  readonly action: (form: FormData) => void | Promise<void>;
  readonly hidden?: Readonly<Record<string, string | readonly string[]>>;
  /** What is wrong with the form as a whole. */
  readonly problem?: string | null | undefined;
  readonly className?: string;
  /** The browser has emptied what it keeps itself, such as a file: as after every answer. */
  readonly onReset?: (() => void) | undefined;
  readonly children: ReactNode;
}

/** A form that a server action answers. */
export function ActionForm({ action, hidden = {}, problem, className = 'grid max-w-xl gap-4', onReset, children }: ActionFormProps) {
  return (
    <form action={action} onReset={onReset} className={className}>
      <HiddenFields values={hidden} />
      {problem && <Notice tone="bad" role="alert" title={problem} />}
      {children}
    </form>
  );
}

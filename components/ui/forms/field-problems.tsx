'use client';

import { createContext, type FormEvent, useContext, useState } from 'react';
import { useConnectionTexts } from './connection';

/** The errors that a form has found before it was sent, by the ids of its controls. */
export const FieldProblems = createContext<Readonly<Record<string, string>>>({});

/** Returns the error of a control: what its form has found, else `answered`, which is what the server has found. */
export function useProblem(id: string, answered: string | null | undefined): string | null | undefined {
  return useContext(FieldProblems)[id] ?? answered;
}

/**
 * Checks the fields of a form before it is sent, in place of the browser, whose bubbles are in its own language. The form needs the
 * attribute `noValidate`. Only missing values and a control's own errors are checked; the server checks everything.
 */
export function useFieldCheck() {
  const t = useConnectionTexts();
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  return {
    problems,
    /** Returns whether the form can be sent. Otherwise shows the errors and moves to the first field with one. */
    check(form: HTMLFormElement): boolean {
      const invalid = [...form.elements].filter(isControl).filter((control) => control.willValidate && isInvalid(control));
      setProblems(
        Object.fromEntries(
          invalid.map(({ id, validity, validationMessage }) => [id, validity.customError ? validationMessage : t('required')]),
        ),
      );
      const [first] = invalid;
      for (let fold = first?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
      first?.focus();
      return first === undefined;
    },
    /** Removes the error of a control that somebody changes. */
    forget({ target }: FormEvent<HTMLFormElement>): void {
      if (!isControl(target) || !Object.hasOwn(problems, target.id)) return;
      setProblems(Object.fromEntries(Object.entries(problems).filter(([id]) => id !== target.id)));
    },
  };
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isControl(target: unknown): target is Control {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

function isInvalid(control: Control): boolean {
  const blank = control.required && !(control instanceof HTMLInputElement && control.type === 'password') && control.value.trim() === '';
  return blank || control.validity.valueMissing || control.validity.customError;
}

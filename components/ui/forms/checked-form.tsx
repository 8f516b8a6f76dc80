'use client';

import type { ComponentProps, FormEvent } from 'react';
import { checkConnection, reportIncident } from './connection';
import { FieldProblems, useFieldCheck } from './field-problems';
import { keepForms } from './kept-forms';

/**
 * A form with a file, which the browser sends without a script. Before, the form checks that the server can be reached and the session is
 * valid. Without this check, the browser would replace the page by an error page.
 */
export function CheckedForm({ children, ...props }: Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & { readonly action: string }) {
  const fields = useFieldCheck();
  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    if (!fields.check(form)) return;
    const connection = await checkConnection();
    if (connection === 'open') {
      // The answer may be this page with a problem. Then the form shows again what was typed.
      keepForms();
      return form.submit();
    }
    reportIncident({ trouble: connection, again: () => form.requestSubmit(), repeatable: false });
  }
  return (
    <form data-keeps-values="" noValidate onSubmit={send} onInput={fields.forget} {...props}>
      <FieldProblems value={fields.problems}>{children}</FieldProblems>
    </form>
  );
}

'use client';

import type { ComponentProps, FormEvent } from 'react';
import { checkConnection, reportIncident } from './connection';

/**
 * A form with a file, which the browser sends without a script. Before, the form checks that the server can be reached and the session is
 * valid. Without this check, the browser would replace the page by an error page.
 */
export function CheckedForm({ children, ...props }: Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & { readonly action: string }) {
  async function check(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const connection = await checkConnection();
    if (connection === 'open') return form.submit();
    reportIncident({ trouble: connection, again: () => form.requestSubmit(), repeatable: false });
  }
  return (
    <form data-keeps-values="" onSubmit={check} {...props}>
      {children}
    </form>
  );
}

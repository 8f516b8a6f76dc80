'use client';

import { type ComponentProps, type FormEvent, useState } from 'react';
import { Notice } from '@/components/ui/notice';
import { announceSessionEnd, checkConnection } from './connection';
import { useConnectionTexts } from './connection-texts';

/**
 * A form with a file, which the browser sends itself. It first checks that the server can be reached and the session is valid, so that a
 * failure does not replace the page.
 */
export function CheckedForm({ children, ...props }: Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & { readonly action: string }) {
  const t = useConnectionTexts();
  const [lost, setLost] = useState(false);
  async function check(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const line = await checkConnection();
    setLost(line === 'lost');
    if (line === 'signed_out') announceSessionEnd({ asked: true });
    if (line === 'open') form.submit();
  }
  return (
    <form data-keeps-values="" onSubmit={check} {...props}>
      {lost && <Notice tone="bad" role="alert" title={t('offline')} />}
      {children}
    </form>
  );
}

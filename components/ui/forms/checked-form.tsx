'use client';

import { type ComponentProps, type FormEvent, useState } from 'react';
import { Notice } from '@/components/ui/notice';
import { announceSessionEnd, checkLine } from './line';
import { useLineTexts } from './line-texts';

/** A form that the browser sends itself, with a file: only once the line is open and the session lives, so that its page stays otherwise. */
export function CheckedForm({ children, ...props }: Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & { readonly action: string }) {
  const t = useLineTexts();
  const [lost, setLost] = useState(false);
  async function check(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const line = await checkLine();
    setLost(line === 'lost');
    if (line === 'signed_out') announceSessionEnd({ asked: true });
    if (line === 'open') form.submit();
  }
  return (
    <form data-kept="" onSubmit={check} {...props}>
      {lost && <Notice tone="bad" role="alert" title={t('offline')} />}
      {children}
    </form>
  );
}

'use client';

import type { ComponentProps } from 'react';
import { useFormStatus } from 'react-dom';
import { Button } from '@/components/ui/button';

/** A submit button. It is disabled, and may show another text, while the form is being sent. */
export function SubmitButton({ sending, children, ...props }: ComponentProps<typeof Button> & { readonly sending?: string }) {
  const { pending } = useFormStatus();
  return (
    <Button disabled={pending} className="justify-self-start" {...props}>
      {pending && sending ? sending : children}
    </Button>
  );
}

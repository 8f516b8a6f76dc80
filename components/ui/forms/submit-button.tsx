'use client';

import type { ComponentProps } from 'react';
import { useFormStatus } from 'react-dom';
import { Button } from '@/components/ui/button';

/** Sends its form; rests while that is on its way, and can say so. */
export function SubmitButton({ sending, children, ...props }: ComponentProps<typeof Button> & { readonly sending?: string }) {
  const { pending } = useFormStatus();
  return (
    <Button disabled={pending} className="justify-self-start" {...props}>
      {pending && sending ? sending : children}
    </Button>
  );
}

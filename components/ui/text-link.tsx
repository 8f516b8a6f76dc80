import Link from 'next/link';
import type { ComponentProps } from 'react';

/** A link within a text or a table. */
export function TextLink({ className = '', ...props }: ComponentProps<typeof Link>) {
  return (
    <Link prefetch={false} className={`font-semibold text-brand underline underline-offset-2 wrap-anywhere ${className}`} {...props} />
  );
}
